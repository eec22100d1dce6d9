import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { leaseMs } from '../../service/db/lease.ts';
import { conversations } from '../../service/db/schema.ts';
import { findPostgres, noPostgresReason } from '../support/servers/postgres.ts';
import { createTestService, eventually, type TestService } from './support.ts';
import { useWebhooks } from './webhook-fixture.ts';

const { tested } = useWebhooks({ development: true });
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

  it('rejects a body without exactly one change', async () => {
    for (const body of [
      {},
      { advance_seconds: 'x' },
      { now: 'soon' },
      { advance_seconds: 1, offset_seconds: 1 },
      { offset_seconds: 1e12 },
    ]) {
      assert.equal((await tested.callTeam('POST', '/clock', body)).status, 422, JSON.stringify(body));
    }
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
    await eventually(async () => ((await offset(other)) === day ? true : undefined));
    const later = await createTestService(options);
    assert.equal(await offset(later), day);
    for (const each of [one, other, later]) await each.service.close();
  });
});
