/** The question for the visitor's consent, in place of the composer. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ViewState } from '../controllers/chat-context.ts';
import { directionOfText, pageUrl, renderRuns } from '../markdown/index.ts';

/** Returns the text before, within and after the brackets. */
const partsOf = (text: string, link: string): [before: string, link: string, after: string] => {
  const [, before, own, after] = /^(.*?)\[([^\]]+)\](.*)$/s.exec(text) ?? [];
  return own === undefined ? [`${text} `, link, ''] : [before!, own, after!];
};

/** @param onAgree Without a text, there is no button: the site asks by itself. */
export const consentQuestion = (
  { text = '', url }: NonNullable<ViewState['consent']>,
  { strings }: ViewState,
  onAgree: () => void,
): TemplateResult => {
  if (!text) return html`<p class="consent" part="consent">${strings.consent.missing}</p>`;
  const address = url === undefined ? null : pageUrl('consent', url);
  const [before, link, after] = partsOf(text, address ? strings.privacyLabel : '');
  const linked = address ? html`<a href=${address} target="_blank" rel="noopener">${link}</a>` : link;
  return html`
    <div class="consent" part="consent">
      <p id="consent" dir=${directionOfText(text)}>${renderRuns(before)}${linked || nothing}${renderRuns(after)}</p>
      <button class="button primary" part="button" aria-describedby="consent" @click=${onAgree}>
        ${strings.consent.agree}
      </button>
    </div>
  `;
};

export const consentStyles = css`
  .consent {
    display: grid;
    gap: 0.75em;
    padding: 0.75em var(--_space);
    border-block-start: 1px solid var(--_border);
    font-size: 0.9375em;
  }
`;
