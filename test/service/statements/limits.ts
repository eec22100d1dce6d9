/** Statements of the contract about limits. */
import assert from 'node:assert/strict';
import type { ParsedResponse } from '../support.ts';
import { newContact } from './contacts.ts';
import type { StatementContext } from './context.ts';
import { about, assertError, assertInvalid, inSection, once, type Statement } from './statement.ts';
import { runTool } from './streams.ts';

const section = inSection('Limits');

interface Burst {
  statuses: number[];
  remaining: number[];
  limits: (string | null)[];
  retryAfter: number;
  /** The last response. */
  response: ParsedResponse<unknown> | undefined;
}

/** Calls until a call is rejected. */
const burst = async (send: () => Promise<ParsedResponse<unknown>>, max: number): Promise<Burst> => {
  const result: Burst = { statuses: [], remaining: [], limits: [], retryAfter: Number.NaN, response: undefined };
  for (let calls = 0; calls < max && !result.statuses.includes(429); calls++) {
    const response = await send();
    const { status, headers } = response;
    result.response = response;
    result.statuses.push(status);
    result.remaining.push(Number(headers.get('x-ratelimit-remaining')));
    result.limits.push(headers.get('x-ratelimit-limit'));
    result.retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  }
  return result;
};

/** The calls of a key until the limit, and after it. */
export const calls = once(async (context) => {
  await context.nextMinute();
  const key = await context.makeKey({ scopes: ['agents:read'] });
  const send = () => context.call('GET', '/me', { key });
  const first = await burst(send, 80);
  const other = await context.call('GET', '/me', { key: await context.makeKey({ scopes: [] }) });
  await context.nextMinute();
  return { first, other, next: await send() };
});

const chats = once(async (context) => {
  await context.nextMinute();
  const key = await context.makeKey({ scopes: ['chat', 'agents:read'] });
  // Calls that a paused agent rejects count too, and need no reply.
  const first = await burst(() => context.chat('Hello', { key, to: context.pausedAgentId }), 40);
  const others = await context.call('GET', '/agents', { key });
  return { first, others };
});

/** A publishable key that two addresses use. */
const addresses = once(async (context) => {
  await context.nextMinute();
  const key = await context.makeKey({ kind: 'publishable' });
  const from = (address: string, to: string) =>
    context.chat('Hello', { key, to, headers: { 'x-forwarded-for': address } });
  const first = await burst(() => from('198.51.100.7', context.pausedAgentId), 40);
  return { first, other: await from('198.51.100.8', context.agentId) };
});

const rates: Statement[] = [
  section('A key can make 60 calls in a minute, and the next one returns 429 rate_limited.', async (context) => {
    const { statuses } = (await calls(context)).first;
    assert.deepEqual([statuses.indexOf(429), statuses.length], [60, 61]);
  }),
  ...about(section, chats, {
    'A key can make 20 chat calls in a minute, and the next one returns 429 rate_limited.': ({ first: { statuses } }) =>
      assert.deepEqual([statuses.indexOf(429), statuses.length], [20, 21]),
    'A key without chat calls left can make other calls.': ({ others }) => assert.equal(others.status, 200),
  }),
  ...about(section, calls, {
    'Each key has its own limit.': ({ other }) => assert.equal(other.status, 200),
    'A key has all its calls again in the next minute.': ({ next }) =>
      assert.deepEqual([next.status, next.headers.get('x-ratelimit-remaining')], [200, '59']),
  }),
  section('A publishable key counts each calling address on its own.', async (context) => {
    const { first, other } = await addresses(context);
    assert.equal(first.statuses.indexOf(429), 20);
    assert.equal(other.status, 200);
  }),
  section('A response with 429 has the header Retry-After.', async (context) => {
    for (const { first } of [await calls(context), await chats(context)]) {
      assert.ok(first.retryAfter >= 1 && first.retryAfter <= 60, String(first.retryAfter));
    }
  }),
  ...about(section, calls, {
    'The header X-RateLimit-Limit has the limit of the minute.': ({ first }) =>
      assert.deepEqual(new Set(first.limits), new Set(['60'])),
    'The header X-RateLimit-Remaining has the calls left in the minute.': ({ first: { remaining } }) =>
      assert.deepEqual(
        remaining.slice(0, 60),
        Array.from({ length: 60 }, (_, at) => 59 - at),
      ),
  }),
  section('The header X-RateLimit-Remaining of a chat call counts the chat calls.', async (context) => {
    const { remaining } = (await chats(context)).first;
    assert.deepEqual(
      remaining.slice(0, 20),
      Array.from({ length: 20 }, (_, at) => 19 - at),
    );
  }),
];

const megabyte = 1024 * 1024;

/** A body of an exact length in bytes. Texts of spaces are trimmed, so that nothing large is stored. */
const bodyOf = (bytes: number, members: object): string => {
  const empty = JSON.stringify({ ...members, padding: '' });
  return JSON.stringify({ ...members, padding: ' '.repeat(bytes - empty.length) });
};

const sizes: Statement[] = [
  section('A body of 1 MB is accepted, and one byte more is not.', async (context) => {
    const members = { external_id: context.unique('size-') };
    const send = (bytes: number) => context.call('POST', '/contacts', { body: bodyOf(bytes, members) });
    assert.equal((await send(megabyte)).status, 201);
    assertError(await send(megabyte + 1), 413, 'body_too_large');
  }),
  section('The body of a new text source can have 3 MB, and not one byte more.', async (context) => {
    const path = `/agents/${await context.someAgent()}/sources`;
    const members = { type: 'text', name: 'Large body', text: 'Small text.' };
    const send = (bytes: number) => context.call('POST', path, { body: bodyOf(bytes, members) });
    assert.equal((await send(3 * megabyte)).status, 202);
    assertError(await send(3 * megabyte + 1), 413, 'body_too_large');
  }),
  section('The body of a changed text source can have 3 MB, and not one byte more.', async (context) => {
    const agent = await context.someAgent();
    const added = await context.call('POST', `/agents/${agent}/sources`, {
      body: { type: 'text', name: 'x', text: 'x' },
    });
    await context.settledSource(agent, added.body.id);
    const path = `/agents/${agent}/sources/${added.body.id}`;
    const send = (bytes: number) => context.call('PATCH', path, { body: bodyOf(bytes, { text: 'New text.' }) });
    assert.equal((await send(3 * megabyte)).status, 202);
    assertError(await send(3 * megabyte + 1), 413, 'body_too_large');
  }),
  section('The body of a question import can have 1 MB only.', async (context) => {
    const path = `/agents/${await context.someAgent()}/sources/questions`;
    const body = bodyOf(megabyte + 1, { name: 'x', items: [{ question: 'q', answer: 'a' }] });
    assertError(await context.call('POST', path, { body }), 413, 'body_too_large');
  }),
];

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ question: `Item number ${at}?`, answer: `Reply ${at}.` }));
const attributes = (count: number, length = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key_${at}`, 'x'.repeat(length)]));

const saveContact = (context: StatementContext, body: object) =>
  context.call('POST', '/contacts', { body: { external_id: context.unique('limit-'), ...body } });

const counts: Statement[] = [
  section('A question import can have 100 items.', async (context) => {
    const path = `/agents/${await context.someAgent()}/sources/questions`;
    assert.equal((await context.call('POST', path, { body: { name: 'All', items: items(100) } })).status, 201);
  }),
  section('A question import cannot have 101 items.', async (context) => {
    const path = `/agents/${await context.someAgent()}/sources/questions`;
    assertInvalid(await context.call('POST', path, { body: { name: 'All', items: items(101) } }), 'items');
  }),
  section('A contact can have 20 attributes.', async (context) => {
    assert.equal((await saveContact(context, { attributes: attributes(20) })).status, 201);
  }),
  section('A contact cannot have 21 attributes.', async (context) => {
    assertInvalid(await saveContact(context, { attributes: attributes(21) }), 'attributes');
  }),
  section('A contact cannot get more than 20 attributes by several changes.', async (context) => {
    const { id } = await newContact(context, { attributes: attributes(20) });
    const body = { attributes: { one_more: 1 } };
    assertInvalid(await context.call('PATCH', `/contacts/${id}`, { body }), 'attributes');
  }),
  section('The text of a contact’s attribute can have 200 characters.', async (context) => {
    assert.equal((await saveContact(context, { attributes: attributes(1, 200) })).status, 201);
  }),
  section('The text of a contact’s attribute cannot have 201 characters.', async (context) => {
    assertInvalid(await saveContact(context, { attributes: attributes(1, 201) }), 'attributes');
  }),
  section('A tool error of more than 120 characters is cut off: the call is accepted.', async (context) => {
    const { sent } = await runTool(context, { ok: false, error: 'x'.repeat(121) });
    assert.equal(sent.status, 200);
  }),
];

export const limitStatements: Statement[] = [...rates, ...sizes, ...counts];
