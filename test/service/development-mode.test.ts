import assert from 'node:assert/strict';
import { after, describe, it, afterEach } from 'node:test';
import { eq } from 'drizzle-orm';
import { leaseMs } from '../../service/db/lease.ts';
import { conversations, contacts } from '../../service/db/schema.ts';
import type { Listening } from '../../service/service.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { valuesOf } from '../support/values-of.ts';
import {
  createTestService,
  eventually,
  type TestService,
  readEvents,
  startBefore,
  useTestService,
  type StreamEvent,
} from './support.ts';

const tested = useTestService({ development: true });
const day = 86_400;

const move = async (body: object) => (await tested.callTeam('POST', '/clock', body)).body;

describe('POST /team/clock', () => {
  it('moves the time forward, to a time, and back to the real time', async () => {
    const started = tested.clock.now;
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    assert.deepEqual(await move({ advance_seconds: 90 }), { now: at(started + 90_000), offset_seconds: 90 });
    assert.equal((await move({ advance_seconds: 0.5 })).offset_seconds, 90.5);
    const moved = await move({ now: '2026-12-24T18:00:00+04:00' });
    assert.equal(moved.now, '2026-12-24T14:00:00.000Z');
    assert.deepEqual((await tested.callTeam('GET', '/clock')).body, moved);
    assert.deepEqual(await move({ offset_seconds: 0 }), { now: at(started), offset_seconds: 0 });
  });

  it('rejects a time that is more than 100 years away, also in several steps', async () => {
    for (const now of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) {
      assert.equal((await tested.callTeam('POST', '/clock', { now })).status, 422, now);
    }
    const step = { advance_seconds: 60 * 366 * day };
    assert.equal((await tested.callTeam('POST', '/clock', step)).status, 200);
    const { status, body } = await tested.callTeam('POST', '/clock', step);
    assert.deepEqual([status, body.error.details[0].field], [422, 'advance_seconds']);
    assert.equal((await tested.chat('When are you open?')).status, 200);
    await move({ offset_seconds: 0 });
  });

  it('keeps the leases of the work in flight', async () => {
    const { conversation_id: id } = (await tested.chat('Hello')).body;
    const turnUntil = new Date(tested.clock.now + leaseMs);
    await tested.set(conversations, { turnHolder: 'a running turn', turnUntil }, eq(conversations.id, id));
    await move({ advance_seconds: day });
    const [moved] = await tested.rows(conversations, eq(conversations.id, id));
    assert.equal(moved?.turnUntil?.getTime(), turnUntil.getTime() + day * 1000);
    await move({ offset_seconds: 0 });
    const [back] = await tested.rows(conversations, eq(conversations.id, id));
    assert.deepEqual(back?.turnUntil, turnUntil);
    await tested.set(conversations, { turnHolder: null, turnUntil: null }, eq(conversations.id, id));
  });

  it('does not extend the rate limits when the time is moved back', async () => {
    const key = await tested.makeKey({ scopes: ['agents:read'] });
    const list = async () => (await tested.call('GET', '/agents', { key })).headers.get('x-ratelimit-remaining');
    await move({ advance_seconds: day });
    assert.equal(await list(), '59');
    await move({ offset_seconds: 0 });
    assert.equal(await list(), '59');
  });
});

it('the operations of the development mode do not exist in production', async () => {
  const production = await createTestService();
  for (const path of ['/clock', '/faults']) {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await production.callTeam(method, path, method === 'POST' ? {} : undefined);
      assert.deepEqual([status, body.error.code], [404, 'not_found'], `${method} ${path}`);
    }
  }
  await production.service.close();
});

const server = await findPostgres();
describe('POST /team/clock, on PostgreSQL', { skip: server ? false : noPostgresReason }, () => {
  after(() => server?.stop());

  it('moves the time of all processes, and of those that start later', async () => {
    const { url } = await server!.database();
    const options = { databaseUrl: url, development: true };
    const [one, other] = [await createTestService(options), await createTestService(options)];
    await one.callTeam('POST', '/clock', { advance_seconds: day });
    const offset = async (of: TestService) => (await of.callTeam('GET', '/clock')).body.offset_seconds;
    await eventually(async () => (await offset(other)) === day);
    const later = await createTestService(options);
    assert.equal(await offset(later), day);
    for (const each of [one, other, later]) await each.service.close();
  });
});

let listening: Listening;
startBefore(async () => {
  listening = await tested.service.listen(0);
});
afterEach(() => call('DELETE', '/team/faults'));

const call = (method: string, path: string, body?: object) =>
  fetch(`${listening.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${tested.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const list = () => call('GET', '/api/v2/agents');
const breakNext = async (...faults: object[]) => {
  const response = await call('POST', '/team/faults', { faults });
  assert.equal(response.status, 201, await response.clone().text());
};
const waiting = async () => (await (await call('GET', '/team/faults')).json()).data;
const ask = () =>
  call('POST', `/api/v2${tested.chatPath}`, {
    messages: [{ role: 'user', content: 'What are your opening hours?' }],
    stream: true,
  });
const isStored = async (externalId: string) =>
  (await tested.rows(contacts, eq(contacts.externalId, externalId))).length > 0;

/** Reads a stream until it ends or fails. */
const readAll = async (response: Response) => {
  const events: StreamEvent[] = [];
  try {
    for await (const event of readEvents(response)) if (event.event !== 'comment') events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
};

describe('POST /team/faults', () => {
  it('fails the next calls with an error of the service', async () => {
    await breakNext({ kind: 'fail', code: 'rate_limited', retry_after: 7, times: 2 });
    for (let each = 0; each < 2; each++) {
      const response = await list();
      assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7']);
      assert.equal((await response.json()).error.code, 'rate_limited');
    }
    assert.equal((await list()).status, 200);
    assert.deepEqual(await waiting(), []);
  });

  it('fails the next call with the page of a proxy', async () => {
    await breakNext({ kind: 'fail', status: 502 });
    const response = await list();
    assert.equal(response.status, 502);
    assert.match(response.headers.get('content-type')!, /text\/html/);
    assert.match(await response.text(), /502/);
  });

  it('stalls the response of a call that was processed', async () => {
    await breakNext({ kind: 'stall', seconds: 0.2, path: '/contacts' });
    const began = performance.now();
    assert.equal((await call('POST', '/api/v2/contacts', { external_id: 'stalled' })).status, 201);
    assert.ok(performance.now() - began >= 190);
  });

  it('cuts the connection after or before the call is processed', async () => {
    await breakNext({ kind: 'cut' }, { kind: 'cut', is_processed: false });
    await assert.rejects(call('POST', '/api/v2/contacts', { external_id: 'processed' }));
    await assert.rejects(call('POST', '/api/v2/contacts', { external_id: 'lost' }));
    assert.deepEqual([await isStored('processed'), await isStored('lost')], [true, false]);
    assert.equal((await list()).status, 200);
  });

  it('cuts a stream after a number of events', async () => {
    await breakNext({ kind: 'cut', after_events: 2 });
    const response = await ask();
    assert.equal(response.status, 200);
    const { events, error } = await readAll(response);
    assert.deepEqual(valuesOf(events, 'event'), ['delta', 'delta']);
    assert.ok(error);
  });

  it('stalls a stream after a number of events, and then sends the rest', async () => {
    await breakNext({ kind: 'stall', after_events: 1, seconds: 0.2 });
    const began = performance.now();
    const { events, error } = await readAll(await ask());
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.event, 'done');
    assert.ok(performance.now() - began >= 190);
  });

  it('keeps the fault of a stream for the next streamed call', async () => {
    await breakNext({ kind: 'cut', after_events: 0 });
    assert.equal((await list()).status, 200);
    assert.equal((await waiting()).length, 1);
    const { events } = await readAll(await ask());
    assert.deepEqual(events, []);
    assert.deepEqual(await waiting(), []);
  });

  it('selects calls by method and path, and never a call of the team', async () => {
    await breakNext({ kind: 'fail', code: 'internal_error', method: 'POST', path: '/leads' });
    assert.equal((await call('POST', '/api/v2/contacts', { external_id: 'other' })).status, 201);
    assert.equal((await call('GET', '/api/v2/leads')).status, 200);
    assert.equal((await call('GET', '/team/overview')).status, 200);
    assert.equal((await call('POST', '/api/v2/leads', {})).status, 500);
  });

  it('removes all faults', async () => {
    await breakNext({ kind: 'fail', status: 500, times: 1000 });
    assert.equal((await call('DELETE', '/team/faults')).status, 204);
    assert.equal((await list()).status, 200);
  });
});
