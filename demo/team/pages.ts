/** The lists that the service returns in pages: the audit log, and the deliveries that failed for good. */
import { html, nothing } from 'lit';
import { call } from './call.ts';
import { act, readNext, state, type AuditEntry, type DeadLetter, type Listed } from './state.ts';

export const auditLog = () => {
  const { data } = state.auditLog;
  return html`<h1>Audit log</h1>
    ${data.length === 0 ? html`<p class="muted">No change was made yet.</p>` : nothing}
    <ul class="lines panel" ?hidden=${data.length === 0}>
      ${data.map(auditLine)}
    </ul>
    ${older('/audit-log', state.auditLog)}`;
};

const auditLine = ({ action, target, member_id: member, key_id: key, detail, created_at: at }: AuditEntry) => {
  const name = state.overview?.members.find(({ id }) => id === member)?.name ?? member ?? key;
  return html`<li>
    <span>${action}</span>
    <small class="muted">
      <bdi>${name}</bdi> · ${new Date(at).toLocaleString()} · <code>${target}</code> ${detailText(detail)}
    </small>
  </li>`;
};

const detailText = ({ before, after, ...others }: AuditEntry['detail']): string => {
  const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const change = after === undefined ? [] : [`${written(before)} → ${written(after)}`];
  const rest = after === undefined && before !== undefined ? { before, ...others } : others;
  return [...change, ...Object.entries(rest).map(([part, value]) => `${part}: ${written(value)}`)].join(', ');
};

export const deadLetters = () => {
  const { data } = state.deadLetters;
  return html`<section class="panel">
    <h2>Failed deliveries</h2>
    ${data.length === 0 ? html`<p class="muted">Every event was delivered, or will be tried again.</p>` : nothing}
    <ul class="lines deliveries" ?hidden=${data.length === 0}>
      ${data.map(deadLetterLine)}
    </ul>
    ${older('/dead-letters', state.deadLetters)}
  </section>`;
};

const deadLetterLine = (letter: DeadLetter) => {
  const { event, endpoint, attempts, last_status: status, last_error: error, replay_path: path } = letter;
  return html`<li>
    <span>${event.type}</span>
    <small class="muted">
      <bdi>${endpoint.url}</bdi> · ${new Date(event.created_at).toLocaleString()} · ${attempts}× ${status ?? ''}
      ${error ?? ''}
    </small>
    <button
      type="button"
      aria-label="Deliver ${event.type} again"
      @click=${() => act('The event is being delivered again.', () => call('POST', path.replace(/^\/team/, '')))}
    >
      Deliver again
    </button>
  </li>`;
};

/** A button that adds the next page to the list. */
export const older = <Item>(path: string, list: Listed<Item>) => {
  if (list.next_cursor === null) return nothing;
  return html`<p><button type="button" @click=${() => readNext(path, list)}>Show older ones</button></p>`;
};
