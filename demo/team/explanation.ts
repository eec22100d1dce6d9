/** Shows what a search of the knowledge found: the passages with their scores, the terms, and the required score. */
import { html, nothing } from 'lit';
import { locale, say, type Text } from './texts.ts';

export interface Passage {
  kind: 'passage' | 'question' | 'action';
  title: string;
  source_id: string | null;
  filename: string | null;
  score: number;
  used: boolean;
}

export interface Search {
  rule: Text;
  min_score: number | null;
  terms: { term: string; known: boolean }[];
  passages: Passage[];
}

const score = (value: number): string =>
  value.toLocaleString(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const explanation = (search: Search) => {
  return html`<details class="why">
    <summary>${say('Why this answer')}</summary>
    <p class="muted">
      ${say('Required score')}:
      ${search.min_score === null ? nothing : html`${score(search.min_score)} · `}${say(search.rule)}
    </p>
    <p class="muted">
      ${say('Terms of the question')}:
      ${search.terms.map(
        ({ term, known }) =>
          html`<bdi class="tag">${term}</bdi
            >${known ? nothing : html` <small>(${say('not in the knowledge')})</small>`} `,
      )}
    </p>
    ${passages(search)}
  </details>`;
};

/** @param button Renders a button for a passage, if there is one. */
export const passages = (search: Search, button: (passage: Passage) => unknown = () => nothing) => {
  if (search.passages.length === 0) return html`<p class="muted">${say('Nothing was found.')}</p>`;
  return html`<ul class="lines" aria-label=${say('Passages found')}>
    ${search.passages.map(
      (passage) =>
        html`<li>
          <span>${score(passage.score)}</span> <bdi>${passage.title}</bdi>
          <small class="muted"><bdi>${passage.filename}</bdi></small>
          ${passage.used ? html`<span class="badge" data-tone="live">${say('used')}</span>` : nothing}
          ${button(passage)}
        </li>`,
    )}
  </ul>`;
};
