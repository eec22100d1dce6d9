/** Statements of the contract about plain chat calls. */
import assert from 'node:assert/strict';
import { day, type StatementContext } from './context.ts';
import { orderForm } from './leads.ts';
import { addIndexedText } from './sources.ts';
import { fullMonth } from './usage.ts';
import * as is from './field-types.ts';
import { about, assertError, assertInvalid, fieldStatements, inSection, once, type Statement } from './statement.ts';
import { valuesOf } from '../../support/values-of.ts';

/** A conversation, a refusal, and a request for a person. */
const recorded = once(async (context) => {
  const first = await context.chat('When are you open?');
  const { conversation_id } = first.body;
  const second = await context.chat('Where can I park?', { conversation_id });
  const refused = await context.chat('Who was the fourth king of Atlantis?');
  const asked = await context.chat('I want to talk to a human');
  return { first, second, refused, asked };
});

/** A conversation with a publishable key. */
const published = once(async (context) => {
  const key = await context.makeKey({ kind: 'publishable' });
  const first = await context.chat('When are you open?', { key });
  const { conversation_id, conversation_token } = first.body;
  const second = await context.chat('Where can I park?', { key, conversation_id, conversation_token });
  return { key, first, second };
});

const read = async (context: StatementContext) => Object.values(await recorded(context)).map(({ body }) => body);

const section = 'Chat request objects and ChatResponse';
const fields = fieldStatements(section, read, [
  ['conversation_id', is.id, 'A chat response has the id of the conversation.'],
  ['message', is.optional(is.record), 'The message of a chat response is an object or null.'],
  ['outcome', is.optional(is.text), 'The outcome of a chat response is a text.'],
  ['refused', is.flag, 'A chat response says whether the assistant refused.'],
  ['state', is.optional(is.oneOf(...is.states)), 'The state in a chat response is a state of a conversation.'],
  ['lead_captured', is.flag, 'A chat response says whether the conversation has a lead.'],
  ['degraded', is.flag, 'A chat response says whether the assistant had all its resources.'],
]);
const readFirst = async (context: StatementContext) => [(await published(context)).first.body];
const tokenFields = fieldStatements(section, readFirst, [
  ['conversation_token', is.optional(is.text), 'A chat response can have the token of the conversation.'],
]);
const readFull = async (context: StatementContext) => {
  const { last, beyond } = await fullMonth(context);
  return [last.body, beyond.body];
};
const limitFields = fieldStatements(section, readFull, [
  ['limit', is.optional(is.oneOf('monthly')), 'The limit of a chat response is monthly, or null.'],
]);
const messages = async (context: StatementContext) =>
  (await read(context)).map(({ message }) => message).filter(Boolean);
const messageFields = fieldStatements(section, messages, [
  ['id', is.id, 'The message of a chat response has an id.'],
  ['role', is.oneOf('assistant'), 'The message of a chat response has the role assistant.'],
  ['content', is.text, 'The message of a chat response has its text in content.'],
]);
const cited = async (context: StatementContext) => (await recorded(context)).first.body.sources as object[];
const sourceFields = fieldStatements(section, cited, [
  ['file_id', is.id, 'A source of a reply has the id of the source in file_id.'],
  ['filename', is.text, 'A source of a reply has the name of the source in filename.'],
]);

const response = inSection(section);
const values: Statement[] = [
  response('The sources of a chat response are a list, which is empty without sources.', async (context) => {
    for (const { sources } of await read(context)) assert.ok(Array.isArray(sources));
    assert.deepEqual((await recorded(context)).asked.body.sources, []);
  }),
  response('The file_id of a source is the id of a knowledge source of the agent.', async (context) => {
    const [source] = (await recorded(context)).first.body.sources;
    const { name } = await context.get(`/agents/${context.agentId}/sources/${source.file_id}`);
    assert.equal(name, source.filename);
  }),
  ...about(response, published, {
    'A publishable key gets the token in the response that starts a conversation.': ({ first }) =>
      assert.ok(first.body.conversation_token.length >= 16),
    'The token of a conversation is shown once, and not when the conversation continues.': ({ second }) =>
      assert.equal(second.body.conversation_token, undefined),
  }),
  response('A secret key gets no token.', async (context) => {
    assert.equal((await recorded(context)).first.body.conversation_token, undefined);
  }),
  response('The message is null when a person has taken over.', async (context) => {
    const { conversation_id } = (await context.chat('I want to talk to a human')).body;
    await context.team('POST', `/conversations/${conversation_id}/reply`, { text: 'Salma here.' });
    const { body } = await context.chat('Hello Salma', { conversation_id });
    assert.deepEqual([body.message, body.state], [null, 'human_active']);
  }),
  response('A refused reply is marked as refused, and another one is not.', async (context) => {
    const { refused, first } = await recorded(context);
    assert.deepEqual([refused.body.refused, first.body.refused], [true, false]);
  }),
  response('The response that captures a lead says so.', async (context) => {
    await context.action(orderForm);
    const form = await context.chat('I want a custom order');
    const filled = 'Name: Noor\nPhone: 91234567\nWhat to make: Vase\nHow many: 2';
    const lead = await context.chat(filled, { conversation_id: form.body.conversation_id });
    assert.deepEqual([form.body.lead_captured, lead.body.lead_captured], [false, true]);
  }),
  response('The limit is null while the month has conversations left.', async (context) => {
    assert.equal((await recorded(context)).first.body.limit, null);
  }),
];

const operation = inSection('Chat');
const post = (context: StatementContext, body: object, key?: string) =>
  context.call('POST', `/agents/${context.agentId}/chat`, { body, ...(key ? { key } : {}) });
const user = (content: string) => ({ role: 'user', content });

const requests: Statement[] = [
  operation('POST /agents/{agent_id}/chat replies to the visitor’s message as JSON.', async (context) => {
    const { first } = await recorded(context);
    assert.deepEqual([first.status, first.headers.get('content-type')?.split(';')[0]], [200, 'application/json']);
    assert.ok(first.body.message.content.length > 0);
  }),
  operation('The messages of a chat call are required.', async (context) => {
    assertInvalid(await post(context, {}), 'messages');
    assertInvalid(await post(context, { messages: [] }), 'messages');
  }),
  operation('The last message of a chat call must have the role user.', async (context) => {
    const sent = [user('Hello'), { role: 'assistant', content: 'Hello!' }];
    assertInvalid(await post(context, { messages: sent }), 'messages.1.role');
  }),
  operation('Earlier messages are ignored when the conversation is continued.', async (context) => {
    const started = await context.chat('Hello');
    const { conversation_id } = started.body;
    const sent = [user('An earlier message that was never sent'), user('Where can I park?')];
    assert.equal((await post(context, { messages: sent, conversation_id })).status, 200);
    const { data } = await context.get(`/conversations/${conversation_id}/messages`);
    assert.deepEqual(
      data.filter(({ role }: any) => role === 'user').map(({ content }: any) => content),
      ['Hello', 'Where can I park?'],
    );
  }),
  operation('A call without conversation_id starts a conversation, and one with it continues it.', async (context) => {
    const { first, second, refused } = await recorded(context);
    assert.equal(second.body.conversation_id, first.body.conversation_id);
    assert.notEqual(refused.body.conversation_id, first.body.conversation_id);
  }),
  operation('An unknown conversation_id is not found.', async (context) => {
    assertError(await context.chat('Hello', { conversation_id: 'cnv_unknown' }), 404, 'not_found');
  }),
  ...about(operation, published, {
    'A publishable key without the token gets 404 conversation_not_found.': async ({ key, first }, context) => {
      const { conversation_id } = first.body;
      assertError(await context.chat('Hello', { key, conversation_id }), 404, 'conversation_not_found');
    },
    'A publishable key with another token gets 404 conversation_not_found.': async ({ key, first }, context) => {
      const other = { key, conversation_id: first.body.conversation_id, conversation_token: 'x'.repeat(43) };
      assertError(await context.chat('Hello', other), 404, 'conversation_not_found');
    },
    'A conversation token opens only its own conversation.': async ({ key, first }, context) => {
      const another = await context.chat('Hello', { key });
      const { conversation_id } = another.body;
      const { conversation_token } = first.body;
      const response = await context.chat('Hello', { key, conversation_id, conversation_token });
      assertError(response, 404, 'conversation_not_found');
    },
  }),
  operation('A secret key continues a conversation without the token.', async (context) => {
    const { first } = await recorded(context);
    const { status } = await context.chat('Thank you', { conversation_id: first.body.conversation_id });
    assert.equal(status, 200);
  }),
  operation('The locale hints at the language of a reply whose message has none.', async (context) => {
    const lang = async (locale: string) => (await context.chat('12345', { locale })).body.message.lang;
    assert.deepEqual([await lang('ar'), await lang('en')], ['ar', 'en']);
  }),
  operation('A chat call accepts at most 20 client tools.', async (context) => {
    const tools = (count: number) => Array.from({ length: count }, (_, at) => `tool_${at}`);
    const messages = [user('Hello')];
    assert.equal((await post(context, { messages, client_tools: tools(20) })).status, 200);
    assertInvalid(await post(context, { messages, client_tools: tools(21) }), 'client_tools');
  }),
  operation('The names of client tools are in snake_case.', async (context) => {
    const messages = [user('Hello')];
    for (const name of ['showCart', 'show-cart', 'Show_cart']) {
      assertInvalid(await post(context, { messages, client_tools: [name] }), 'client_tools');
    }
  }),
];

const rules: Statement[] = [
  operation('A new conversation counts in the month when it gets its first reply, and only then.', async (context) => {
    const used = async () => (await context.get('/usage')).pool.used;
    const before = await used();
    const { body } = await context.chat('Hello');
    await context.chat('Where can I park?', { conversation_id: body.conversation_id });
    assert.equal(await used(), before + 1);
  }),
  ...about(operation, fullMonth, {
    'When the month is full, the limit of a response is monthly.': ({ last, beyond }) => {
      assert.equal(last.body.limit, null);
      assert.deepEqual([beyond.status, beyond.body.limit], [200, 'monthly']);
    },
    'When the month is full, the agent replies with a note about its capacity.': ({ beyond, last }) => {
      assert.notEqual(beyond.body.message.content, last.body.message.content);
      assert.match(beyond.body.message.content, /month/);
    },
  }),
  operation('A paused agent returns 409 agent_unavailable.', async (context) => {
    assertError(await context.chat('Hello', { to: context.pausedAgentId }), 409, 'agent_unavailable');
  }),
  operation('Continuing a conversation after 24 hours returns 410 conversation_expired.', async (context) => {
    const { conversation_id } = (await context.chat('Hello')).body;
    await context.advance(day - 60_000);
    assert.equal((await context.chat('Hello', { conversation_id })).status, 200);
    await context.advance(120_000);
    assertError(await context.chat('Hello', { conversation_id }), 410, 'conversation_expired');
  }),
  operation('A plain chat call honors its Idempotency-Key.', async (context) => {
    const body = { messages: [user('Hello')] };
    const [first, again] = await context.repeat(`/agents/${context.agentId}/chat`, body);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  }),
  operation('A streamed chat call ignores its Idempotency-Key.', async (context) => {
    const key = await context.spareKey(true);
    const headers = { 'idempotency-key': context.unique('streamed-') };
    const done = async () => (await context.stream('Hello', { key, headers })).at(-1)!.data.conversation_id;
    assert.notEqual(await done(), await done());
  }),
  operation('The stored conversation is the context of a reply.', async (context) => {
    const agent = await context.someAgent();
    await addIndexedText(context, agent, 'Ferry', '## Ferry fares\n\nThe ferry costs **three rials**.');
    const first = await context.chat('What does the ferry cost?', { to: agent });
    const { conversation_id } = first.body;
    await context.chat('Thank you', { to: agent, conversation_id });
    const { data } = await context.get(`/conversations/${conversation_id}/messages`);
    assert.deepEqual(valuesOf(data, 'role'), ['user', 'assistant', 'user', 'assistant']);
  }),
];

export const chatStatements: Statement[] = [
  fields,
  tokenFields,
  limitFields,
  messageFields,
  sourceFields,
  values,
  requests,
  rules,
].flat();
