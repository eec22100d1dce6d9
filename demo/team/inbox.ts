/** The inbox: the tickets, the transcript of the chosen one, and the form for the team's reply. */
import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { call } from './call.ts';
import { explanation } from './explanation.ts';
import { act, refresh, onSubmit, state, text, type Field, type Ticket } from './state.ts';
import { locale, say, type Text } from './texts.ts';

const speakers: Record<'visitor' | 'ai' | 'owner', Text> = { visitor: 'Visitor', ai: 'Assistant', owner: 'Team' };
const statuses: Record<Ticket['status'], Text> = {
  new: 'new',
  on_you: 'waiting for you',
  on_customer: 'waiting for the customer',
  on_hold: 'on hold',
  closed: 'closed',
};
const time = (at: string): string => new Date(at).toLocaleTimeString(locale(), { hour: '2-digit', minute: '2-digit' });

/** Changes a ticket, and shows the text when it is done. */
type Change = (done: string, body: object) => Promise<boolean>;

export const inbox = () => {
  const chosen = state.tickets.find(({ id }) => id === state.chosen);
  const hasTickets = state.tickets.length > 0;
  return html`<div class="inbox ${chosen ? 'has-chosen' : ''} ${hasTickets ? 'has-tickets' : ''}">
    <section class="list" aria-labelledby="title">
      <h1 id="title">${say('Inbox')}</h1>
      ${state.requests.length > 0 ? requests() : nothing}
      <ul id="tickets">
        ${repeat(
          state.tickets,
          ({ id }) => id,
          (ticket) =>
            html`<li>
              <button
                type="button"
                aria-current=${ticket.id === state.chosen}
                @click=${() => {
                  Object.assign(state, { chosen: ticket.id, messages: [], hasEarlierMessages: false });
                  void refresh();
                }}
              >
                <span class="subject" dir="auto">${ticket.subject || say('Conversation')}</span>
                <small>
                  <span class="badge" data-tone=${ticket.status}>${say(statuses[ticket.status])}</span>
                  <bdi>${ticket.contact?.name ?? ''}</bdi>
                  ${ticket.tags.map((tag) => html`<span class="tag">${tag}</span>`)}
                </small>
              </button>
            </li>`,
        )}
      </ul>
      ${state.has_more ? html`<p class="muted">${say('Only the tickets that changed last are shown.')}</p>` : nothing}
    </section>
    ${
      // The fields of one ticket never stand beside another one.
      chosen?.conversation_id ? keyed(chosen.id, conversation(chosen, chosen.conversation_id)) : placeholder()
    }
  </div>`;
};

/** The part beside the list while no ticket is chosen. */
const placeholder = () => {
  if (state.tickets.length === 0) {
    return html`<section class="placeholder">
      <h2>${say('No visitor has asked for a person yet')}</h2>
      <p>${say('Open the shop, and write “I want to talk to a person” in its chat.')}</p>
      <p><a href="./" target="_blank">${say('The shop')}</a></p>
    </section>`;
  }
  const count = (...counted: Ticket['status'][]) =>
    state.tickets.filter(({ status }) => counted.includes(status)).length;
  const counts: Partial<Record<Text, number>> = {
    'wait for you': count('new', 'on_you'),
    'wait for the customer': count('on_customer'),
    'on hold': count('on_hold'),
    closed: count('closed'),
  };
  return html`<section class="placeholder">
    <h2>${say('Choose a ticket to read its conversation')}</h2>
    <dl class="counts">
      ${Object.entries(counts).map(
        ([name, value]) =>
          html`<div>
            <dt>${say(name as Text)}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
};

const requests = () => {
  return html`<section id="requests" aria-label=${say('Requests to approve')}>
    <h2>${say('To approve')}</h2>
    ${state.requests.map(
      ({ id, action, inputs }) =>
        html`<p class="card">
          <span>${action.replaceAll('_', ' ')} <small class="muted">${inputs.join(', ')}</small></span>
          <span class="row">
            ${[true, false].map(
              (approve) =>
                html`<button
                  type="button"
                  class=${approve ? 'main' : ''}
                  @click=${() =>
                    act(say(approve ? 'Approved.' : 'Rejected.'), () => call('POST', `/requests/${id}`, { approve }))}
                >
                  ${say(approve ? 'Approve' : 'Reject')}
                </button>`,
            )}
          </span>
        </p>`,
    )}
  </section>`;
};

const conversation = (ticket: Ticket, conversationId: string) => {
  const change: Change = (done, body) => act(done, () => call('PATCH', `/tickets/${ticket.id}`, body));
  return html`<section id="conversation" aria-label=${say('Conversation')}>
    ${conversationHeader(ticket, change)} ${transcript()}
    <form
      id="reply"
      @submit=${onSubmit('', async (fields) => {
        await call('POST', `/conversations/${conversationId}/reply`, { text: text(fields, 'text') });
        if (state.drafts.get(ticket.id) === fields.get('text')) state.drafts.delete(ticket.id);
      })}
    >
      <label for="text">${say('Your reply')}</label>
      <div class="row">
        <textarea
          id="text"
          name="text"
          rows="2"
          dir="auto"
          required
          ?disabled=${ticket.state === 'closed'}
          .value=${live(state.drafts.get(ticket.id) ?? '')}
          @input=${({ target }: InputEvent) => state.drafts.set(ticket.id, (target as HTMLTextAreaElement).value)}
        ></textarea>
        <button class="main" ?disabled=${ticket.state === 'closed'}>${say('Reply')}</button>
      </div>
    </form>
    <details>
      <summary>${say('More about the ticket')}</summary>
      ${more(ticket, conversationId, change)}
    </details>
  </section>`;
};

const conversationHeader = (ticket: Ticket, change: Change) => {
  const isClosed = ticket.status === 'closed';
  return html`<header>
    <div>
      <button
        type="button"
        class="back"
        @click=${() => {
          state.chosen = null;
          void refresh();
        }}
      >
        ‹ ${say('Inbox')}
      </button>
      <h2 class="subject" dir="auto" title=${ticket.subject}>${ticket.subject || say('Conversation')}</h2>
      <p id="person" class="muted">${person(ticket)}</p>
    </div>
    <div class="row">
      ${
        isClosed || ticket.status === 'on_hold'
          ? html`<button type="button" @click=${() => change(say('Open again.'), { status: 'open' })}>
              ${say('Open again')}
            </button>`
          : html`<button type="button" @click=${() => change(say('Put on hold.'), { status: 'on_hold' })}>
              ${say('Put on hold')}
            </button>`
      }
      <button
        type="button"
        class="main"
        ?disabled=${isClosed}
        @click=${() => change(say('Closed: the assistant answers again.'), { status: 'closed' })}
      >
        ${say('Close the ticket')}
      </button>
    </div>
  </header>`;
};

const transcript = () => {
  return html`<div id="messages" role="log" aria-label=${say('Transcript')} tabindex="0">
    ${state.hasEarlierMessages ? html`<p class="muted">${say('Only the newest messages are shown.')}</p>` : nothing}
    <ol>
      ${repeat(
        state.messages,
        ({ id }) => id,
        ({ content, actor_type, created_at, search }) =>
          html`<li data-by=${actor_type}>
            <small>${say(speakers[actor_type])} · ${time(created_at)}</small>
            <p dir="auto">${content}</p>
            ${search ? explanation(search) : nothing}
          </li>`,
      )}
    </ol>
  </div>`;
};

const person = ({ contact, claim }: Ticket) => {
  if (contact) {
    return html`<bdi>${contact.name || contact.email}</bdi> ·
      <span class="badge" data-tone=${contact.verified ? 'live' : ''}
        >${say(contact.verified ? 'verified' : 'not verified')}</span
      >
      <bdi>${contact.email}</bdi>`;
  }
  const said = claim?.name ?? claim?.email ?? claim?.externalId;
  return said ? html`${say('claims, without proof, to be')} <bdi>${said}</bdi>` : say('Anonymous visitor');
};

const more = (ticket: Ticket, conversationId: string, change: Change) => {
  const { members = [], ticket_fields: fields = [] } = state.overview ?? {};
  const picked = (event: Event) => (event.currentTarget as HTMLSelectElement).value;
  return html`<div class="grid">
    <label>
      ${say('Priority')}
      <select @change=${(event: Event) => change(say('Priority changed.'), { priority: picked(event) })}>
        ${(['low', 'normal', 'high'] as const).map(
          (each) => html`<option value=${each} .selected=${live(each === ticket.priority)}>${say(each)}</option>`,
        )}
      </select>
    </label>
    <label>
      ${say('Assigned to')}
      <select @change=${(event: Event) => change(say('Assigned.'), { assignee_user_id: picked(event) || null })}>
        <option value="" .selected=${live(ticket.assignee_user_id === null)}>${say('not assigned')}</option>
        ${members
          .filter(({ ended_at, role }) => ended_at === null && role !== 'viewer')
          .map(
            ({ id, name }) =>
              html`<option value=${id} .selected=${live(id === ticket.assignee_user_id)}>${name}</option>`,
          )}
      </select>
    </label>
    ${fields.map((field) => customField(field, ticket.custom[field.key], change))}
    <form
      class="row"
      @submit=${onSubmit(say('Thank you: the rating was saved.'), (sent) =>
        call('POST', `/tickets/${ticket.id}/csat`, {
          score: Number(sent.get('score')),
          ...(text(sent, 'comment') && { comment: text(sent, 'comment') }),
        }),
      )}
    >
      <label>
        ${say('How the customer found it')}
        <select name="score" required>
          <option value="1" ?selected=${ticket.csat_score === 1}>${say('good')}</option>
          <option value="-1" ?selected=${ticket.csat_score === -1}>${say('bad')}</option>
        </select>
      </label>
      <label>${say('In their words')} <input name="comment" dir="auto" /></label>
      <button>${say('Keep it')}</button>
      ${
        ticket.csat_score === null
          ? nothing
          : html`<small class="muted" dir="auto"
              >${say(ticket.csat_score === 1 ? 'good' : 'bad')} ${ticket.csat_comment}</small
            >`
      }
    </form>
    <button
      type="button"
      ?disabled=${ticket.state === 'closed'}
      @click=${() => act(say('Ended.'), () => call('POST', `/conversations/${conversationId}/close`))}
    >
      ${say('End the conversation')}
    </button>
  </div>`;
};

const customField = ({ key, label, kind, options }: Field, value: unknown, change: Change) => {
  const save = (given: unknown) => change(say('Field saved.'), { custom: { [key]: given === '' ? null : given } });
  const written = (event: Event) => {
    const { value: sent } = event.currentTarget as HTMLInputElement;
    return save(kind === 'number' && sent !== '' ? Number(sent) : sent);
  };
  if (kind === 'boolean') {
    const ticked = (event: Event) => save((event.currentTarget as HTMLInputElement).checked);
    return html`<label class="tick"
      ><input type="checkbox" .checked=${live(value === true)} @change=${ticked} /> ${label}</label
    >`;
  }
  return html`<label>
    ${label}
    ${
      kind === 'select'
        ? html`<select @change=${written}>
            <option value="" .selected=${live(typeof value !== 'string')}></option>
            ${options.map((option) => html`<option .selected=${live(option === value)}>${option}</option>`)}
          </select>`
        : html`<input
            type=${kind === 'number' ? 'number' : 'text'}
            .value=${typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
            @change=${written}
          />`
    }
  </label>`;
};
