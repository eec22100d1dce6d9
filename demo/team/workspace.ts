/** The views of the workspace: contacts, plan and quota, ticket fields, tag rules and members. */
import { html, nothing } from 'lit';
import { call } from './call.ts';
import { editor } from './fields.ts';
import { team } from './members.ts';
import { act, onSubmit, state, text, type Overview } from './state.ts';

const plans = ['starter', 'team', 'business'];
const mail = { bounced: 'Bounced', complained: 'Complained', unsubscribed: 'Unsubscribed' };

export const contacts = () => {
  const people = state.overview?.contacts ?? [];
  return html`<h1>Contacts</h1>
    ${people.length === 0 ? html`<p class="muted">No contacts yet.</p>` : nothing}
    <ul class="lines panel" ?hidden=${people.length === 0}>
      ${people.map(
        ({ id, name, email, phone, verified, marketing_status: status }) =>
          html`<li>
            <bdi>${name || email || phone}</bdi>
            <small class="muted"><bdi>${email}</bdi> <bdi dir="ltr">${phone}</bdi></small>
            <span class="badge" data-tone=${verified ? 'live' : ''}>${verified ? 'verified' : 'not verified'}</span>
            <span class="badge">${status.replace('_', ' ')}</span>
            <span class="row">
              ${Object.entries(mail).map(
                ([event, label]) =>
                  html`<button
                    type="button"
                    aria-label="${label}: ${name || email || phone}"
                    ?disabled=${status === event}
                    @click=${() => act('Kept: this contact receives no more campaigns.', () => call('POST', `/contacts/${id}/mail`, { event }))}
                  >
                    ${label}
                  </button>`,
              )}
            </span>
          </li>`,
      )}
    </ul>`;
};

export const workspace = () => {
  if (!state.overview) return nothing;
  const { usage, ticket_fields: fields, tag_rules: rules, members } = state.overview;
  return html`<h1>Workspace</h1>
    ${quota(usage)} ${ticketFields(fields)} ${tagRules(rules)} ${team(members)}`;
};

const quota = ({ plan, pool }: Overview['usage']) => {
  const { included, top_ups: extra, used, remaining } = pool;
  return html`<section class="panel">
    <h2>This month’s conversations</h2>
    <p>
      <meter min="0" max=${included + extra} value=${used} aria-label="Conversations used"></meter>
      ${used} of ${included + extra} used, ${remaining} left (${plan}: ${included}, bought: ${extra})
    </p>
    <form
      class="row"
      @submit=${onSubmit('Bought.', (sent) =>
        call('POST', '/top-ups', { conversations: Number(sent.get('conversations')) }),
      )}
    >
      <label>More conversations <input type="number" name="conversations" min="1" value="100" required /></label>
      <button>Add them</button>
    </form>
    <form
      class="row"
      @submit=${onSubmit('The plan was changed.', (sent) => call('PATCH', '/workspace', { plan: text(sent, 'plan') }))}
    >
      <label>
        Plan
        <select name="plan">
          ${plans.map((each) => html`<option ?selected=${each === plan}>${each}</option>`)}
        </select>
      </label>
      <button>Change the plan</button>
    </form>
  </section>`;
};

const ticketFields = (fields: Overview['ticket_fields']) => {
  return html`<section class="panel">
    <h2>Ticket fields</h2>
    ${editor(
      { id: 'ticket-fields', name: 'Ticket field' },
      fields,
      [
        { name: 'key', label: 'Key', required: true },
        { name: 'label', label: 'Label', required: true },
        { name: 'kind', label: 'Kind', kind: ['text', 'number', 'boolean', 'select'] },
        { name: 'options', label: 'Options', kind: 'list' },
      ],
      (saved) => call('POST', '/ticket-fields', { fields: saved }),
    )}
  </section>`;
};

const tagRules = (rules: Overview['tag_rules']) => {
  return html`<section class="panel">
    <h2>Tag rules</h2>
    <p class="muted">A ticket with these words in its subject gets the tag.</p>
    ${editor(
      { id: 'tag-rules', name: 'Tag rule' },
      rules,
      [
        { name: 'words', label: 'Words', required: true },
        { name: 'tag', label: 'Tag', required: true },
      ],
      (saved) => call('POST', '/tag-rules', { rules: saved }),
    )}
  </section>`;
};
