/** Statements of the contract about tickets. */
import assert from 'node:assert/strict';
import type { ChatInit, StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertError, fieldStatements, inSection, once, type Statement } from './statement.ts';

export const statuses = ['new', 'on_you', 'on_customer', 'on_hold', 'closed'];

/** Asks for a person in a new conversation, and returns the conversation and its ticket. */
export const openTicket = async (context: StatementContext, init: ChatInit = {}) => {
  const { body } = await context.chat('I want to talk to a human', init);
  const { data } = await context.get('/tickets?limit=10');
  const conversation: string = body.conversation_id;
  return { conversation, ticket: data.find((each: any) => each.conversation_id === conversation) };
};

export const change = (context: StatementContext, ticket: string, body: object) =>
  context.call('PATCH', `/tickets/${ticket}`, { body });
export const reply = (context: StatementContext, conversation: string) =>
  context.team('POST', `/conversations/${conversation}/reply`, { text: 'A person is here.' });
export const readTicket = (context: StatementContext, ticket: string) => context.get(`/tickets/${ticket}`);

/** The keys of the fields that the workspace adds to its tickets. */
const ticketFields = once(async (context) => {
  const fields = [
    { key: 'order_number', label: 'Order', kind: 'text' },
    { key: 'size', label: 'Size', kind: 'select', options: ['S', 'L'] },
  ];
  await context.team('POST', '/ticket-fields', { fields });
  return { text: 'order_number', select: 'size' };
});

/** Tickets without the help of the dashboard: a new one, one on hold, one that a key has closed, and one in Arabic. */
const requested = once(async (context) => {
  const other = await openTicket(context);
  const held = await change(context, other.ticket.id, { status: 'on_hold' });
  const mine = await openTicket(context);
  const byKey = await change(context, mine.ticket.id, { status: 'closed' });
  const fresh = await openTicket(context);
  const arabic = await context.chat('أريد التحدث إلى موظف');
  const { data } = await context.get('/tickets?limit=100');
  const inArabic = data.find((each: any) => each.conversation_id === arabic.body.conversation_id);
  return { held, byKey, fresh, inArabic, list: data as any[] };
});

/** A ticket of a verified contact with all measures, which a member has closed, and one with a tag. */
export const recorded = once(async (context) => {
  await context.team('POST', '/tag-rules', { rules: [{ words: 'human', tag: 'person' }] });
  const { text: order } = await ticketFields(context);
  const agent = await context.someAgent();
  const secret = await context.identitySecret(agent);
  const token = await context.identityToken(secret, { sub: context.unique('ticket-'), name: 'Ticket' });
  const opened = await openTicket(context, { to: agent, contact: { token } });
  const { id: ticket } = opened.ticket;
  await context.advance(90_000);
  await reply(context, opened.conversation);
  const replied = await readTicket(context, ticket);
  await context.chat('Thank you', { to: agent, conversation_id: opened.conversation });
  const written = await readTicket(context, ticket);
  const assigned = await change(context, ticket, { assignee_user_id: context.memberId, custom: { [order]: '7' } });
  await context.advance(30_000);
  const closed = await context.team('PATCH', `/tickets/${ticket}`, { status: 'closed' });
  const rated = await context.team('POST', `/tickets/${ticket}/csat`, { score: -1, comment: 'Too slow' });
  const tagged = await openTicket(context);
  const { data } = await context.get('/tickets?limit=100');
  const examples = [replied, written, ...(data as any[])];
  return { agent, opened, replied, written, assigned, closed, rated, tagged, examples };
});

const read = async (context: StatementContext) => {
  const { held, byKey, list } = await requested(context);
  return [held.body, byKey.body, ...list] as object[];
};
const fields = fieldStatements('Ticket', read, [
  ['id', is.id, 'The id of a ticket is a text.'],
  ['agent_id', is.id, 'A ticket has the id of its agent.'],
  ['conversation_id', is.optional(is.id), 'A ticket has the id of its conversation.'],
  ['status', is.oneOf(...statuses), 'The status of a ticket is new, on_you, on_customer, on_hold or closed.'],
  ['priority', is.oneOf('low', 'normal', 'high'), 'The priority of a ticket is low, normal or high.'],
  ['subject', is.text, 'A ticket has a subject.'],
  ['channel', is.oneOf(...is.channels), 'The channel of a ticket is a channel of conversations.'],
  ['language', is.oneOf('en', 'ar'), 'The language of a ticket is en or ar.'],
  ['source', is.oneOf('handoff', 'conversation'), 'The source of a ticket is handoff or conversation.'],
  ['handoff_at', is.optional(is.time), 'A ticket shows when a person was last asked for.'],
  ['last_customer_message_at', is.optional(is.time), 'A ticket shows when the customer last wrote.'],
  ['closed_at', is.optional(is.time), 'A closed ticket shows when it was closed.'],
  ['resolution_seconds', is.optional(is.integer), 'A closed ticket shows the seconds until it was closed.'],
  ['created_at', is.time, 'A ticket shows when it was created.'],
  ['updated_at', is.time, 'A ticket shows when it was last changed.'],
]);

const readHandled = async (context: StatementContext) => (await recorded(context)).examples as object[];
const handledFields = fieldStatements('Ticket', readHandled, [
  ['contact_id', is.optional(is.id), 'A ticket of a verified contact has the id of the contact.'],
  ['assignee_user_id', is.optional(is.id), 'A ticket can be assigned to a member.'],
  ['custom', is.optional(is.record), 'A ticket has the fields of the workspace as an object.'],
  ['tags', is.optional(is.listOf(is.text)), 'A ticket has a list of tags.'],
  ['first_response_at', is.optional(is.time), 'A ticket shows when a person replied first.'],
  ['first_response_seconds', is.optional(is.integer), 'A ticket shows the seconds until the first response.'],
  ['last_agent_message_at', is.optional(is.time), 'A ticket shows when the team last wrote.'],
  ['closed_by', is.optional(is.id), 'A closed ticket shows the member who closed it.'],
  ['csat_score', is.optional(is.oneOf(1, -1)), 'The rating of a ticket is 1 or -1.'],
  ['csat_comment', is.optional(is.text), 'The rating of a ticket can have a comment.'],
  ['csat_at', is.optional(is.time), 'The rating of a ticket has a time.'],
]);

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) <= 3, `${actual} is not about ${expected}`);

const resource = inSection('Ticket');
const values: Statement[] = [
  ...about(resource, requested, {
    'The channel of a ticket is that of its conversation.': async ({ fresh }, context) => {
      const { channel } = await context.get(`/conversations/${fresh.conversation}`);
      assert.equal(fresh.ticket.channel, channel);
    },
    'A ticket from a request for a person has the source handoff.': ({ fresh }) =>
      assert.equal(fresh.ticket.source, 'handoff'),
    'The language of a ticket is that of the conversation.': ({ fresh, inArabic }) =>
      assert.deepEqual([fresh.ticket.language, inArabic.language], ['en', 'ar']),
  }),
  resource('A ticket that a person of the team opens by writing has the source conversation.', async (context) => {
    const agent = await context.someAgent();
    const { body } = await context.chat('Hello', { to: agent });
    await reply(context, body.conversation_id);
    const { data } = await context.get(`/tickets?agent_id=${agent}`);
    assert.deepEqual([data[0].source, data[0].handoff_at], ['conversation', null]);
  }),
  resource('The time of the handoff is that of the last request for a person.', async (context) => {
    const { ticket, conversation } = await openTicket(context);
    await change(context, ticket.id, { status: 'closed' });
    await context.advance(60_000);
    await context.chat('I want to talk to a human', { conversation_id: conversation });
    const again = await readTicket(context, ticket.id);
    near((Date.parse(again.handoff_at) - Date.parse(ticket.handoff_at)) / 1000, 60);
  }),
  ...about(resource, recorded, {
    'The tags of a ticket are written by the rules of the helpdesk.': ({ tagged }) =>
      assert.deepEqual(tagged.ticket.tags, ['person']),
    'The first response is measured from the handoff, in seconds.': ({ replied }) =>
      near(replied.first_response_seconds, 90),
    'The resolution is measured from the start of the ticket, in seconds.': ({ closed }) =>
      near(closed.resolution_seconds, 120),
    'A ticket that a member closes has the member in closed_by.': ({ closed }) =>
      assert.equal(closed.closed_by, 'mem_salma'),
    'A bad rating is -1.': ({ rated }) => assert.deepEqual(rated.csat_score, -1),
  }),
  ...about(resource, requested, {
    'A ticket that nobody is assigned to has null as assignee.': ({ fresh }) =>
      assert.equal(fresh.ticket.assignee_user_id, null),
    'The id of a ticket’s team is a text, null or absent.': ({ list }) => {
      for (const { team_id } of list) assert.ok(team_id === null || typeof team_id !== 'number');
    },
    'A ticket that a key closes has nobody in closed_by.': ({ byKey }) =>
      assert.deepEqual([byKey.body.status, byKey.body.closed_by], ['closed', null]),
  }),
];

const states = inSection('Ticket status');
const transitions: Statement[] = [
  states('A ticket is new until somebody of the team has replied.', async (context) => {
    assert.equal((await requested(context)).fresh.ticket.status, 'new');
  }),
  ...about(states, recorded, {
    'A ticket is on_customer when the team wrote last.': ({ replied }) => assert.equal(replied.status, 'on_customer'),
    'A ticket is on_you when the customer wrote last.': ({ written }) => assert.equal(written.status, 'on_you'),
  }),
  states('A change to on_hold holds the ticket.', async (context) => {
    assert.equal((await requested(context)).held.body.status, 'on_hold');
  }),
  ...about(states, openTicket, {
    'A ticket on hold is released by the status open.': async ({ ticket }, context) => {
      await change(context, ticket.id, { status: 'on_hold' });
      const { status, body } = await change(context, ticket.id, { status: 'open' });
      assert.deepEqual([status, body.status], [200, 'new']);
    },
    'A closed ticket is reopened by the status open.': async ({ ticket, conversation }, context) => {
      await reply(context, conversation);
      await change(context, ticket.id, { status: 'closed' });
      const { body } = await change(context, ticket.id, { status: 'open' });
      assert.equal(body.status, 'on_customer');
    },
  }),
  states('Closing a ticket sets closed_at and resolution_seconds.', async (context) => {
    const { byKey } = await requested(context);
    assert.ok(byKey.body.closed_at !== null && byKey.body.resolution_seconds >= 0);
  }),
  states('Closing a ticket returns the visitor to the assistant.', async (context) => {
    const { ticket, conversation } = await openTicket(context);
    await reply(context, conversation);
    await change(context, ticket.id, { status: 'closed' });
    assert.equal((await context.get(`/conversations/${conversation}`)).state, 'ai_active');
  }),
  ...(
    [
      ['a new ticket', 'open', []],
      ['a ticket on hold', 'on_hold', ['on_hold']],
      ['a closed ticket', 'closed', ['closed']],
      ['a closed ticket', 'on_hold', ['closed']],
    ] as const
  ).map(([of, to, moves]) =>
    states(`A move of ${of} to ${to} returns 409 conflict and changes nothing.`, async (context) => {
      const { ticket } = await openTicket(context);
      for (const status of moves) await change(context, ticket.id, { status });
      const before = await readTicket(context, ticket.id);
      assertError(await change(context, ticket.id, { status: to }), 409, 'conflict');
      assert.deepEqual(await readTicket(context, ticket.id), before);
    }),
  ),
  ...(
    [
      ['status', () => ({ status: 'on_hold' })],
      ['priority', () => ({ priority: 'high' })],
      ['assignee', ({ memberId }: StatementContext) => ({ assignee_user_id: memberId })],
      ['fields', async (context: StatementContext) => ({ custom: { [(await ticketFields(context)).select]: 'L' } })],
    ] as const
  ).map(([what, bodyOf]) =>
    states(`A change of a ticket’s ${what} sends ticket.updated.`, async (context) => {
      const body = await bodyOf(context);
      const { ticket } = await openTicket(context);
      const endpoint = await context.webhook(['ticket.updated']);
      assert.equal((await change(context, ticket.id, body)).status, 200);
      const { event } = await endpoint.next('ticket.updated', (data) => data.id === ticket.id);
      await endpoint.remove();
      assert.deepEqual(event.data, await readTicket(context, ticket.id));
    }),
  ),
  states('Closing a ticket sends ticket.updated and ticket.closed.', async (context) => {
    const { ticket } = await openTicket(context);
    const endpoint = await context.webhook(['ticket.updated', 'ticket.closed']);
    await change(context, ticket.id, { status: 'closed' });
    const deliveries = await endpoint.count(2);
    await endpoint.remove();
    assert.deepEqual(new Set(deliveries.map(({ event }) => event.type)), new Set(['ticket.updated', 'ticket.closed']));
  }),
];

export const ticketStatements: Statement[] = [...fields, ...handledFields, ...values, ...transitions];
