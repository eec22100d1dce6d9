import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import {
  actionCalls,
  actions,
  apiKeys,
  auditEntries,
  deliveries,
  events,
  idempotencyKeys,
  jobs,
  notices,
  rateCounts,
  toolCalls,
  webhookEndpoints,
} from '../../service/db/schema.ts';
import { addRecurringJob } from '../../service/jobs/queue.ts';
import { prune } from '../../service/db/retention.ts';
import { hour, useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService();
const day = 24 * hour;
const workspaceId = 'wsp_palm_and_clay';
const db = () => tested.service.db;
const ago = (ms: number) => new Date(tested.clock.now - ms);
const run = () => prune({ db: db(), now: () => tested.clock.now });
const ids = async (table: typeof events | typeof toolCalls | typeof actionCalls | typeof notices) =>
  (await db().select({ id: table.id }).from(table)).map(({ id }) => id).toSorted();

let conversationId: string;
let actionId: string;
beforeEach(async () => {
  const { body } = await tested.chat('Hello');
  conversationId = body.conversation_id;
  actionId = (await db().select({ id: actions.id }).from(actions))[0]!.id;
  await db().delete(events);
});

const addEvent = async (id: string, age: number) => {
  const event = { id, workspaceId, type: 'lead.created', data: {}, createdAt: ago(age) } as const;
  await tested.add(events, event);
};

describe('the retention of stored rows', () => {
  it('deletes events after 30 days with their deliveries, but none with a pending delivery', async () => {
    await tested.add(webhookEndpoints, {
      id: 'whk_kept',
      workspaceId,
      url: 'https://hook.test/',
      events: [],
      encryptedSecret: '',
      createdAt: ago(0),
    });
    for (const [id, age, status] of [
      ['evt_inside', 30 * day, 'failed'],
      ['evt_outside', 30 * day + 1, 'failed'],
      ['evt_pending', 30 * day + 1, 'pending'],
    ] as const) {
      await addEvent(id, age);
      const delivery = { id: `of_${id}`, endpointId: 'whk_kept', eventId: id, status, createdAt: ago(age) };
      await tested.add(deliveries, delivery);
    }
    await addEvent('evt_without', 30 * day + 1);
    assert.equal(await run(), true);
    assert.deepEqual(await ids(events), ['evt_inside', 'evt_pending']);
    const kept = await db().select({ id: deliveries.id }).from(deliveries);
    assert.deepEqual(kept.map(({ id }) => id).toSorted(), ['of_evt_inside', 'of_evt_pending']);
    await db().delete(webhookEndpoints);
  });

  it('deletes tool calls 30 days after they expired, but no open call', async () => {
    const call = { conversationId, actionId, arguments: {}, createdAt: ago(31 * day) };
    await tested.add(toolCalls, [
      { ...call, id: 'inside', status: 'answered', expiresAt: ago(30 * day) },
      { ...call, id: 'outside', status: 'answered', expiresAt: ago(30 * day + 1) },
      { ...call, id: 'abandoned by a dead process', status: 'open', expiresAt: ago(30 * day + 1) },
      { ...call, id: 'open', status: 'open', expiresAt: ago(-1000) },
    ]);
    await run();
    assert.deepEqual(await ids(toolCalls), ['inside', 'open']);
  });

  it('deletes calls of actions after 90 days, but none that waits for a decision or a result', async () => {
    await db().delete(actionCalls);
    const call = { actionId, at: ago(90 * day + 1) };
    await tested.add(actionCalls, [
      { ...call, id: 'inside', outcome: 'worked', at: ago(90 * day) },
      { ...call, id: 'outside', outcome: 'worked' },
      { ...call, id: 'expired', outcome: 'expired' },
      { ...call, id: 'waiting', outcome: 'waiting' },
      { ...call, id: 'approved', outcome: 'approved' },
    ]);
    await run();
    assert.deepEqual(await ids(actionCalls), ['approved', 'inside', 'waiting']);
  });

  it('deletes notices after 90 days and audit entries after 365 days', async () => {
    const detail = { webhook_id: 'whk_x', url: 'https://hook.test/' };
    const notice = { workspaceId, kind: 'webhook_disabled' as const, recipient: 'a@b.example', detail };
    await tested.add(notices, [
      { ...notice, id: 'inside', createdAt: ago(90 * day) },
      { ...notice, id: 'outside', createdAt: ago(90 * day + 1) },
    ]);
    const entry = { workspaceId, action: 'lead.deleted', target: 'led_x' };
    await tested.add(auditEntries, [
      { ...entry, id: 'inside', createdAt: ago(365 * day) },
      { ...entry, id: 'outside', createdAt: ago(365 * day + 1) },
    ]);
    await run();
    assert.deepEqual(await ids(notices), ['inside']);
    assert.deepEqual(valuesOf(await tested.rows(auditEntries), 'id'), ['inside']);
  });

  it('deletes keys 90 days after they were revoked, and keeps expired keys', async () => {
    const before = (await tested.rows(apiKeys)).length;
    await tested.makeKey({ revokedAt: ago(90 * day) });
    await tested.makeKey({ revokedAt: ago(90 * day + 1) });
    await tested.makeKey({ expiresAt: ago(400 * day) });
    await run();
    assert.equal((await tested.rows(apiKeys)).length, before + 2);
  });

  it('deletes idempotency records after 24 hours, and counters of rate limits an hour after their window', async () => {
    const [key] = await tested.rows(apiKeys);
    const record = { apiKeyId: key!.id, operation: 'POST /x', bodyHash: '', holder: '', leaseUntil: ago(day) };
    await tested.add(idempotencyKeys, [
      { ...record, key: 'inside', createdAt: ago(day) },
      { ...record, key: 'outside', createdAt: ago(day + 1) },
    ]);
    await tested.add(rateCounts, [
      { bucket: 'inside', used: 1, endsAt: ago(hour) },
      { bucket: 'outside', used: 1, endsAt: ago(hour + 1) },
    ]);
    await run();
    assert.deepEqual(valuesOf(await tested.rows(idempotencyKeys), 'key'), ['inside']);
    const counts = (await tested.rows(rateCounts)).map(({ bucket }) => bucket);
    assert.deepEqual([counts.includes('inside'), counts.includes('outside')], [true, false]);
  });

  it('deletes a large number of rows in several runs', async () => {
    await db().execute(sql`insert into events (id, workspace_id, type, data, created_at)
      select 'evt_old_' || n, ${workspaceId}, 'lead.created', '{}', ${ago(31 * day).toISOString()}::timestamptz
      from generate_series(1, 4500) as n`);
    assert.equal(await run(), false);
    assert.equal((await ids(events)).length, 500);
    assert.equal(await run(), true);
    assert.deepEqual(await ids(events), []);
  });
});

describe('the job that deletes old rows', () => {
  const pruneJobs = () => tested.rows(jobs, eq(jobs.kind, 'prune'));

  it('runs every hour and stays one row', async () => {
    await tested.service.work();
    const [job, ...others] = await pruneJobs();
    assert.deepEqual(others, []);
    await addEvent('evt_old', 31 * day);
    tested.clock.now = job!.runAt.getTime() - 1;
    await tested.service.work();
    assert.deepEqual(await ids(events), ['evt_old']);
    tested.clock.now += 1;
    await tested.service.work();
    assert.deepEqual(await ids(events), []);
    const [next] = await pruneJobs();
    assert.deepEqual([next!.runAt.getTime() - tested.clock.now, next!.attempts, next!.holder], [hour, 0, null]);
  });

  it('is not added again by a process that starts later', async () => {
    const [before] = await pruneJobs();
    await addRecurringJob(db(), 'prune', ago(0));
    assert.deepEqual(await pruneJobs(), [before]);
  });
});
