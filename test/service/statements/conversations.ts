/** Statements of the contract about conversations and their messages. */
import assert from 'node:assert/strict';
import { day, hour, minute, type StatementContext } from './context.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

const campaign = {
  utm_source: 'letter',
  utm_medium: 'email',
  utm_campaign: 'autumn',
  utm_term: 'clay',
  utm_content: 'button',
};

const path = (agent: string) => `/agents/${agent}/conversations`;
const visitPage = 'https://shop.example/plates';

/** A conversation that starts on a page, and one in which the visitor asks for a person. */
const visited = once(async (context) => {
  const agent = await context.someAgent();
  const query = new URLSearchParams({ ...campaign, secret: 'hidden' }).toString();
  const headers = { referer: `${visitPage}?${query}` };
  const visit = await context.chat('What do plates cost?', { to: agent, headers });
  const handoff = await context.chat('I want to talk to a human', { to: agent });
  const { data } = await context.get(`${path(agent)}?limit=100`);
  const of = ({ body }: { body: any }) => data.find((each: any) => each.id === body.conversation_id);
  return { agent, list: data as any[], visit: of(visit), handoff: of(handoff) };
});

/** An agent with a conversation on each channel, and one in each state. */
const recorded = once(async (context) => {
  const agent = await context.makeAgent();
  for (const channel of is.channels) {
    await context.team('POST', `/agents/${agent}/conversations`, { channel, text: 'Good morning to you' });
  }
  await context.chat('I want to talk to a human', { to: agent });
  const taken = await context.chat('I want to talk to a human', { to: agent });
  await context.team('POST', `/conversations/${taken.body.conversation_id}/reply`, { text: 'A person is here.' });
  const ended = await context.chat('What do bowls cost?', { to: agent });
  await context.team('POST', `/conversations/${ended.body.conversation_id}/close`, {});
  const { data } = await context.get(`${path(agent)}?limit=100`);
  return { path: path(agent), list: data as any[] };
});

const read = async (context: StatementContext) => (await visited(context)).list as object[];

const fields = fieldStatements('Conversation', read, [
  ['id', is.id, 'The id of a conversation is a text.'],
  ['agent_id', is.id, 'A conversation has the id of its agent.'],
  [
    'channel',
    is.oneOf(...is.channels),
    'The channel of a conversation is website, hosted, api, email, slack or voice_web.',
  ],
  ['state', is.oneOf(...is.states), 'The state is ai_active, handoff_requested, human_active or closed.'],
  ['started_at', is.time, 'A conversation shows when it started.'],
  ['expires_at', is.time, 'A conversation shows when it expires.'],
  ['last_message_at', is.optional(is.time), 'A conversation shows when its last message was written.'],
  ['lead_captured', is.flag, 'A conversation says whether it has a lead.'],
  ['page_url', is.optional(is.text), 'A conversation can have the page on which it started.'],
  ['utm', is.optional(is.record), 'A conversation has the campaign of the visit as an object.'],
  [
    'referrer',
    is.optional(is.matching(/^[^?#]*$/)),
    'The referrer of a conversation has no query string, and is empty without one.',
  ],
]);

const readEnded = async (context: StatementContext) => (await recorded(context)).list as object[];
const endedFields = fieldStatements('Conversation', readEnded, [
  ['summary', is.optional(is.text), 'A conversation that ended can have a summary.'],
]);

const resource = inSection('Conversation');
const values: Statement[] = [
  ...about(resource, visited, {
    'The campaign of a conversation has the five utm fields of the first page of the visit.': ({ visit }) =>
      assert.deepEqual(visit.utm, campaign),
    'The campaign of a conversation without utm fields is empty.': ({ handoff }) => assert.deepEqual(handoff.utm, {}),
    'The page of a conversation is the page of the visit, without its private query.': ({ visit }) =>
      assert.equal(visit.page_url, visitPage),
    'A conversation expires 24 hours after its start.': ({ list }) => {
      for (const { started_at, expires_at } of list) {
        assert.equal(Date.parse(expires_at) - Date.parse(started_at), day);
      }
    },
    'A conversation through the API has the channel api.': ({ visit }) => assert.equal(visit.channel, 'api'),
  }),
  ...(['ai_active', 'handoff_requested', 'human_active', 'closed'] as const).map((state) =>
    resource(`A conversation can have the state ${state}.`, async (context) => {
      assert.ok((await recorded(context)).list.some((each) => each.state === state));
    }),
  ),
];

const operation = inSection('Conversations');
const filters: Statement[] = (
  [
    ['state', is.states],
    ['channel', is.channels],
  ] as const
).flatMap(([field, values]) =>
  values.map((value) =>
    operation(`The list of conversations can be filtered by the ${field} ${value}.`, async (context) => {
      const { path, list } = await recorded(context);
      const { data } = await context.get(`${path}?limit=100&${field}=${value}`);
      const wanted = list.filter((each) => each[field] === value);
      assert.ok(wanted.length > 0);
      assert.deepEqual(valuesOf(data, 'id'), valuesOf(wanted, 'id'));
    }),
  ),
);

const reading: Statement[] = [
  operation('GET /agents/{agent_id}/conversations lists those of all channels, newest first.', async (context) => {
    const { list } = await recorded(context);
    assert.deepEqual(new Set(list.map(({ channel }) => channel)), new Set(is.channels));
    const times = list.map(({ started_at }) => Date.parse(started_at));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  }),
  operation('The list of conversations has pages.', async (context) => {
    const { agent } = await visited(context);
    for (let at = 0; at < 2; at++) await context.chat('Hello', { to: agent });
    const { data } = await context.get(`${path(agent)}?limit=4`);
    const first = await context.get(`${path(agent)}?limit=2`);
    const second = await context.get(`${path(agent)}?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.data, ...second.data], data);
  }),
  operation('An unknown state or channel in a filter is rejected.', async (context) => {
    const list = path(context.agentId);
    assertInvalid(await context.call('GET', `${list}?state=open`), 'state');
    assertInvalid(await context.call('GET', `${list}?channel=fax`), 'channel');
  }),
  ...about(operation, visited, {
    'GET /conversations/{conversation_id} returns one conversation.': async ({ visit }, context) => {
      const { state: _, ...read } = await context.get(`/conversations/${visit.id}`);
      const { state: __, ...listed } = visit;
      assert.deepEqual({ ...read, summary: null }, { ...listed, summary: null });
    },
    'A key limited to other agents does not find a conversation.': async ({ visit }, context) => {
      const key = await context.makeKey({ scopes: ['conversations:read'], agentIds: [context.pausedAgentId] });
      assertError(await context.call('GET', `/conversations/${visit.id}`, { key }), 404, 'not_found');
      assertError(await context.call('GET', `/conversations/${visit.id}/messages`, { key }), 404, 'not_found');
    },
  }),
];

const state = inSection('Conversation state');
const stateOf = async (context: StatementContext, conversation: string) =>
  (await context.get(`/conversations/${conversation}`)).state;

const transitions: Statement[] = [
  state('A chat call without conversation_id to a live agent starts a conversation in ai_active.', async (context) => {
    const { body } = await context.chat('Hello');
    assert.equal(body.state, 'ai_active');
    assert.equal(await stateOf(context, body.conversation_id), 'ai_active');
  }),
  state('A chat call to an agent that is not live starts no conversation.', async (context) => {
    const { status } = await context.chat('Hello', { to: context.pausedAgentId });
    assert.equal(status, 409);
    assert.deepEqual((await context.get(`/agents/${context.pausedAgentId}/conversations`)).data, []);
  }),
  state('A visitor who asks for a person moves the conversation to handoff_requested.', async (context) => {
    const { body } = await context.chat('I want to talk to a human');
    assert.equal(body.state, 'handoff_requested');
    assert.equal(await stateOf(context, body.conversation_id), 'handoff_requested');
  }),
  state('A conversation that ends is closed.', async (context) => {
    const { body } = await context.chat('Hello');
    await context.team('POST', `/conversations/${body.conversation_id}/close`, {});
    assert.equal(await stateOf(context, body.conversation_id), 'closed');
  }),
  state('A closed conversation cannot be continued.', async (context) => {
    const { conversation_id } = (await context.chat('Hello')).body;
    await context.team('POST', `/conversations/${conversation_id}/close`, {});
    assertError(await context.chat('Hello', { conversation_id }), 410, 'conversation_expired');
  }),
  state('A conversation that is 24 hours old shows the state closed.', async (context) => {
    const { body } = await context.chat('Hello');
    await context.advance(day - minute);
    assert.equal(await stateOf(context, body.conversation_id), 'ai_active');
    await context.advance(hour);
    assert.equal(await stateOf(context, body.conversation_id), 'closed');
  }),
  state('A conversation that ends after 24 hours sends conversation.closed.', async (context) => {
    const agent = await context.someAgent();
    const endpoint = await context.webhook(['conversation.closed'], { agent_id: agent });
    const { body } = await context.chat('Hello', { to: agent });
    await context.advance(day + minute);
    const { event } = await endpoint.next('conversation.closed');
    await endpoint.remove();
    assert.deepEqual([event.data.id, event.data.state], [body.conversation_id, 'closed']);
  }),
  state('The assistant replies again after the ticket of a conversation is closed.', async (context) => {
    const { conversation_id } = (await context.chat('I want to talk to a human')).body;
    await context.team('POST', `/conversations/${conversation_id}/reply`, { text: 'Here.' });
    assert.equal((await context.chat('Hello', { conversation_id })).body.message, null);
    const ticket = (await context.get('/tickets?limit=1')).data[0];
    await context.call('PATCH', `/tickets/${ticket.id}`, { body: { status: 'closed' } });
    assert.equal(await stateOf(context, conversation_id), 'ai_active');
    assert.equal((await context.chat('Where can I park?', { conversation_id })).body.message.role, 'assistant');
  }),
];

export const conversationStatements: Statement[] = [fields, endedFields, values, filters, reading, transitions].flat();
