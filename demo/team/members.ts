/** The members of the team: invitations, roles, and the end of a membership. */
import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { call } from './call.ts';
import { act, onSubmit, text, type Overview } from './state.ts';

/** Each workspace has one owner, whose role cannot be changed. */
const roles = ['admin', 'editor', 'agent', 'viewer'];

type Member = Overview['members'][0];

export const team = (members: Overview['members']) => {
  return html`<section class="panel">
    <h2>Team</h2>
    <ul class="lines">
      ${members.map(memberLine)}
    </ul>
    <h3>Invite a member</h3>
    <form
      class="row"
      @submit=${onSubmit('The member was invited.', (fields) =>
        call('POST', '/members', {
          name: text(fields, 'name'),
          email: text(fields, 'email'),
          role: text(fields, 'role'),
        }),
      )}
    >
      <label>Their name <input name="name" dir="auto" required maxlength="120" /></label>
      <label>Their e-mail address <input type="email" name="email" required /></label>
      <label>
        Their role
        <select name="role">
          ${roles.map((role) => html`<option>${role}</option>`)}
        </select>
      </label>
      <button>Invite</button>
    </form>
  </section>`;
};

const memberLine = (member: Member) => {
  const { name, role, ended_at: ended } = member;
  return html`<li>
    <bdi>${name}</bdi>
    ${role === 'owner' || ended ? html`<small class="muted">${role}</small>` : nothing}
    ${ended ? html`<span class="badge" data-tone="failed">left</span>` : role === 'owner' ? nothing : changes(member)}
  </li>`;
};

const changes = ({ id, name, role }: Member) => {
  return html`<span class="row">
    <select
      aria-label="Role of ${name}"
      @change=${(event: Event) => {
        const next = (event.currentTarget as HTMLSelectElement).value;
        void act('The role was changed.', () => call('PATCH', `/members/${id}`, { role: next }));
      }}
    >
      ${roles.map((each) => html`<option .selected=${live(each === role)}>${each}</option>`)}
    </select>
    <button
      type="button"
      aria-label="Remove ${name}"
      @click=${() => act('The member was removed, and their keys were revoked.', () => call('DELETE', `/members/${id}`))}
    >
      Remove
    </button>
  </span>`;
};
