/** The view of the questions that the agents refused or handed over, with what answers them. */
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { call } from './call.ts';
import { passages, type Passage } from './explanation.ts';
import { act, onSubmit, refresh, state, text, type Agent, type UnansweredQuestion } from './state.ts';
import { locale, say } from './texts.ts';

export const unanswered = () => {
  const agents = state.overview?.agents ?? [];
  return html`<h1>${say('Questions without an answer')}</h1>
    <label>
      ${say('Order')}
      <select
        @change=${(event: Event) => {
          state.unansweredOrder = (event.currentTarget as HTMLSelectElement).value as typeof state.unansweredOrder;
          void refresh();
        }}
      >
        <option value="frequent">${say('Most frequent first')}</option>
        <option value="recent">${say('Newest first')}</option>
      </select>
    </label>
    ${agents.map(agentQuestions)}`;
};

const agentQuestions = (agent: Agent) => {
  const groups = state.unanswered.get(agent.id) ?? [];
  return html`<section class="panel">
    <h2><bdi>${agent.name}</bdi></h2>
    ${groups.length === 0 ? html`<p class="muted">${say('Every question of the last 30 days has an answer.')}</p>` : nothing}
    ${repeat(
      groups,
      ({ question }) => question,
      (group) => questionCard(group, `/agents/${agent.id}/questions`),
    )}
  </section>`;
};

const questionCard = (group: UnansweredQuestion, path: string) => {
  const { question, wordings, search } = group;
  const others = wordings.filter((wording) => wording !== question);
  return html`<article class="question">
    <h3 class="subject" dir="auto">${question}</h3>
    <p class="muted">${counts(group)}</p>
    ${
      others.length > 0
        ? html`<p class="muted">
            ${say('Other wordings')}: ${others.map((wording) => html`<bdi class="tag">${wording}</bdi> `)}
          </p>`
        : nothing
    }
    <h4>${say('Nearest in the knowledge')}</h4>
    ${passages(search, (passage) => addButton(passage, question, path))}
    <details>
      <summary>${say('Answer it')}</summary>
      <form
        class="grid"
        @submit=${onSubmit(say('The question was added.'), (fields) =>
          call('POST', path, { question: text(fields, 'question'), answer: text(fields, 'answer') }),
        )}
      >
        <label>
          ${say('Question')} <input name="question" dir="auto" .value=${question} required maxlength="500" />
        </label>
        <label>${say('Answer')} <textarea name="answer" dir="auto" required maxlength="4000"></textarea></label>
        <button class="main">${say('Add the question')}</button>
      </form>
    </details>
  </article>`;
};

const counts = ({ count, refused, handed_over: handedOver, last_at: lastAt }: UnansweredQuestion): string =>
  [
    `${say('asked')}: ${count}`,
    `${say('refused')}: ${refused}`,
    `${say('handed over')}: ${handedOver}`,
    `${say('last')}: ${new Date(lastAt).toLocaleString(locale())}`,
  ].join(' · ');

/** Only a question of the knowledge has wordings. */
const addButton = ({ kind, title, source_id }: Passage, alternative: string, path: string) => {
  if (kind !== 'question') return nothing;
  const add = () => call('POST', path, { source_id, question: title, alternative });
  return html`<button type="button" @click=${() => act(say('The wording was added.'), add)}>
    ${say('Add as a wording of this question')}
  </button>`;
};
