import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { leaseMs } from '../../service/db/lease.ts';
import { conversations, deliveries } from '../../service/db/schema.ts';
import { scopes } from '../../service/core/scopes.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createTestService, eventually, origin, type TestService } from './support.ts';
import { useWebhooks } from './webhook-fixture.ts';

const { tested, receiver, subscribe } = useWebhooks({ development: true });
const day = 86_400;

const team = async (of: TestService, method: string, path: string, body?: object) => {
  const response = await of.service.fetch(
    new Request(`${origin}/team${path}`, {
      method,
      headers: { authorization: `Bearer ${of.service.demo.secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};
const move = async (body: object) => (await team(tested, 'POST', '/clock', body)).body;

describe('POST /team/clock', () => {
  it('moves the time forward, to a time, and back to the real time', async () => {
    const started = tested.clock.now;
    const at = (milliseconds: number) => new Date(milliseconds).toISOString();
    assert.deepEqual(await move({ advance_seconds: 90 }), { now: at(started + 90_000), offset_seconds: 90 });
    assert.equal((await move({ advance_seconds: 0.5 })).offset_seconds, 90.5);
    const moved = await move({ now: '2026-12-24T18:00:00+04:00' });
    assert.equal(moved.now, '2026-12-24T14:00:00.000Z');
    assert.deepEqual((await team(tested, 'GET', '/clock')).body, moved);
    assert.deepEqual(await move({ offset_seconds: 0 }), { now: at(started), offset_seconds: 0 });
  });

  it('rejects a body without exactly one change', async () => {
    for (const body of [
      {},
      { advance_seconds: 'x' },
      { now: 'soon' },
      { advance_seconds: 1, offset_seconds: 1 },
      { offset_seconds: 1e12 },
    ]) {
      assert.equal((await team(tested, 'POST', '/clock', body)).status, 422, JSON.stringify(body));
    }
  });

  it('rejects a time that is more than 100 years away, also in several steps', async () => {
    for (const now of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) {
      assert.equal((await team(tested, 'POST', '/clock', { now })).status, 422, now);
    }
    const step = { advance_seconds: 60 * 366 * day };
    assert.equal((await team(tested, 'POST', '/clock', step)).status, 200);
    const { status, body } = await team(tested, 'POST', '/clock', step);
    assert.deepEqual([status, body.error.details[0].field], [422, 'advance_seconds']);
    assert.equal((await tested.chat('When are you open?')).status, 200);
    await move({ offset_seconds: 0 });
  });

  it('ends conversations after 24 hours', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const { conversation_id } = (await tested.chat('Hello', { key })).body;
    await move({ advance_seconds: day });
    assert.equal((await tested.chat('Hello again', { key, conversation_id })).error.code, 'conversation_expired');
    await tested.service.work();
    const { body } = await tested.call('GET', `/conversations/${conversation_id}`, { key });
    assert.equal(body.state, 'closed');
    assert.notEqual(body.summary, undefined);
    await move({ offset_seconds: 0 });
  });

  it('makes every retry of a webhook delivery due, up to the one after twelve hours', async () => {
    await subscribe(['contact.created']);
    receiver.respond = (response) => response.writeHead(503).end();
    await tested.call('POST', '/contacts', { key: tested.secretKey, body: { external_id: 'retried' } });
    await tested.service.work();
    const made = async () => (await tested.service.db.select().from(deliveries))[0]!.attempts;
    const attempts: number[] = [];
    for (const minutes of [1, 5, 30, 120, 720]) {
      await move({ advance_seconds: minutes * 60 - 1 });
      await tested.service.work();
      attempts.push(await made());
      await move({ advance_seconds: 1 });
      await tested.service.work();
      attempts.push(await made());
    }
    assert.deepEqual(attempts, [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    const [delivery] = await tested.service.db.select().from(deliveries);
    assert.equal(delivery?.status, 'failed');
    await move({ offset_seconds: 0 });
  });

  it('starts a new month with an unused quota', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const usage = async () => (await tested.call('GET', '/usage', { key })).body;
    await move({ now: '2027-01-31T23:59:58Z' });
    await tested.chat('Hello', { key });
    const january = await usage();
    assert.deepEqual([january.month, january.pool.used], ['2027-01-01', 1]);
    await move({ advance_seconds: 2 });
    const february = await usage();
    assert.deepEqual([february.month, february.pool.used], ['2027-02-01', 0]);
    await move({ offset_seconds: 0 });
  });

  it('keeps the leases of the work in flight', async () => {
    const { conversation_id: id } = (await tested.chat('Hello')).body;
    const { db } = tested.service;
    const turnUntil = new Date(tested.clock.now + leaseMs);
    await db.update(conversations).set({ turnHolder: 'a running turn', turnUntil }).where(eq(conversations.id, id));
    await move({ advance_seconds: day });
    const [moved] = await db.select().from(conversations).where(eq(conversations.id, id));
    assert.equal(moved?.turnUntil?.getTime(), turnUntil.getTime() + day * 1000);
    await move({ offset_seconds: 0 });
    const [back] = await db.select().from(conversations).where(eq(conversations.id, id));
    assert.deepEqual(back?.turnUntil, turnUntil);
    await db.update(conversations).set({ turnHolder: null, turnUntil: null }).where(eq(conversations.id, id));
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

describe('the operations of the development mode, in production', () => {
  it('do not exist', async () => {
    const production = await createTestService();
    for (const path of ['/clock', '/faults']) {
      for (const method of ['GET', 'POST']) {
        const { status, body } = await team(production, method, path, method === 'POST' ? {} : undefined);
        assert.deepEqual([status, body.error.code], [404, 'not_found'], `${method} ${path}`);
      }
    }
    await production.service.close();
  });
});

const server = await findPostgres();
describe('POST /team/clock, on PostgreSQL', { skip: server ? false : noPostgresReason }, () => {
  after(() => server?.stop());

  it('moves the time of all processes, and of those that start later', async () => {
    const { url } = await server!.database();
    const options = { databaseUrl: url, development: true };
    const [one, other] = [await createTestService(options), await createTestService(options)];
    await team(one, 'POST', '/clock', { advance_seconds: day });
    const offset = async (of: TestService) => (await team(of, 'GET', '/clock')).body.offset_seconds;
    await eventually(async () => ((await offset(other)) === day ? true : undefined));
    const later = await createTestService(options);
    assert.equal(await offset(later), day);
    for (const each of [one, other, later]) await each.service.close();
  });
});
