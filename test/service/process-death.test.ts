import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { concludeReply, newReply } from '../../service/chat/messages.ts';
import { createTurns } from '../../service/chat/turns.ts';
import { leaseMs } from '../../service/db/lease.ts';
import { heartbeatMs, silenceMs, startHeartbeat, type Heartbeat } from '../../service/db/processes.ts';
import { conversations, deliveries, idempotencyKeys, jobs, messages, processes } from '../../service/db/schema.ts';
import { noObserver } from '../../service/core/observer.ts';
import { createJobLanes, type JobHandlers } from '../../service/jobs/job-lanes.ts';
import type { JobKind } from '../../service/jobs/queue.ts';
import { scopes } from '../../service/core/scopes.ts';
import { useWebhooks } from './webhook-fixture.ts';

const { tested, receiver, subscribe, emitTestEvent } = useWebhooks();
const started: Pick<Heartbeat, 'stop'>[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.stop();
});

/** Its heart beats only when the test says so: on a busy machine, the timer's beat would come between two steps of a test. */
const newProcess = async () => {
  let isAsked = true;
  const { newHolder, beat, stop } = await startHeartbeat(
    () => {
      if (!isAsked) throw new Error('The timer has asked for this heartbeat.');
      return tested.service.db;
    },
    () => {},
  );
  const asked = (work: () => Promise<void>) => () => {
    isAsked = true;
    const done = work();
    isAsked = false;
    return done;
  };
  isAsked = false;
  const heartbeat = { beat: asked(beat), stop: asked(stop) };
  started.push(heartbeat);
  const { db } = tested.service;
  const closing = new AbortController().signal;
  const turns = createTurns({ db, now: () => tested.clock.now, newHolder, closing });
  return { heartbeat, turns, id: newHolder().split('/')[0]! };
};

/** Moves the last heartbeat of a process into the past, as if the time had passed in silence. */
const silence = (id: string, milliseconds: number) =>
  tested.set(
    processes,
    { seenAt: sql`clock_timestamp() - ${milliseconds} * interval '1 millisecond'` },
    eq(processes.id, id),
  );

const startConversation = async (key?: string): Promise<string> =>
  (await tested.chat('Hello', key === undefined ? {} : { key })).body.conversation_id;

/** Long enough for two attempts to take the conversation. */
const shortly = () => AbortSignal.timeout(120);

describe('a process that dies while it holds a turn', () => {
  it('leaves its conversation free within ten seconds, and not before it has missed its heartbeats', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const id = await startConversation();
    const held = await one.turns.acquire(id, shortly());
    assert.ok(held);
    await silence(one.id, silenceMs / 2);
    assert.equal(await other.turns.acquire(id, shortly()), undefined);
    await silence(one.id, silenceMs);
    const taken = await other.turns.acquire(id, shortly());
    assert.equal(taken?.conversation.id, id);
    await taken?.release();
    assert.ok(
      silenceMs < 10_000 && silenceMs > 3 * heartbeatMs,
      'a late heartbeat is no death, and a death ends within ten seconds',
    );
    await held.release();
  });

  it('cannot store its reply when it was only paused and another process has taken over', async () => {
    const [paused, other] = [await newProcess(), await newProcess()];
    const id = await startConversation();
    const { db } = tested.service;
    const held = await paused.turns.acquire(id, shortly());
    await silence(paused.id, silenceMs);
    const taken = await other.turns.acquire(id, shortly());
    await paused.heartbeat.beat();
    const stored = () => db.$count(messages, eq(messages.conversationId, id));
    const before = await stored();
    const context = { db, now: () => tested.clock.now };
    assert.equal(
      await concludeReply(context.db, held!, newReply(context, 'Too late', 'en', { outcome: 'answered', sources: [] })),
      undefined,
    );
    assert.equal(await stored(), before);
    await held!.release();
    const [row] = await tested.rows(conversations, eq(conversations.id, id));
    assert.notEqual(row?.turnHolder, null, 'the late release does not end the turn of the other process');
    await taken!.release();
  });

  it('frees its turns at once when it stops in order', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    const id = await startConversation();
    const held = await one.turns.acquire(id, shortly());
    await one.heartbeat.stop();
    const taken = await other.turns.acquire(id, shortly());
    assert.ok(taken);
    await held!.release();
    await taken.release();
  });

  it('is removed from the table of processes after a minute', async () => {
    const [one, other] = [await newProcess(), await newProcess()];
    await silence(one.id, 60_000);
    await other.heartbeat.beat();
    const left = await tested.service.db.select({ id: processes.id }).from(processes);
    assert.ok(!left.some(({ id }) => id === one.id));
    assert.ok(left.some(({ id }) => id === other.id));
  });
});

describe('a process that was paused for longer than a lease', () => {
  it('records only the result of the last attempt of a job that it has started again', async () => {
    const { db } = tested.service;
    const clock = { now: tested.clock.now };
    const endings: { succeed(): void; fail(): void }[] = [];
    const handle = () =>
      new Promise<void>((resolve, reject) => {
        endings.push({ succeed: resolve, fail: () => reject(new Error('broken')) });
      });
    const closing = new AbortController().signal;
    const context = { db, now: () => clock.now, newHolder: randomUUID, closing, observer: noObserver, log: () => {} };
    const lanes = createJobLanes(context, { send_notice: handle } as Partial<JobHandlers> as JobHandlers);
    await db.delete(jobs);
    await tested.add(jobs, { kind: 'send_notice', payload: {}, runAt: new Date(clock.now) });
    const start = async () => (await lanes.claim()).map((run) => run());
    const [first] = await start();
    clock.now += leaseMs;
    const [second] = await start();
    endings[0]!.fail();
    await first;
    const [job] = await tested.rows(jobs);
    assert.deepEqual([job!.attempts, job!.holder !== null], [2, true]);
    endings[1]!.succeed();
    await second;
    assert.deepEqual(await tested.rows(jobs), []);
  });
});

describe('a job whose process has died in each of five attempts', () => {
  const runDying = async (kind: JobKind, payload: JsonObject = {}) => {
    await tested.add(jobs, { kind, payload, attempts: 5, runAt: new Date(tested.clock.now) });
    await tested.service.work();
    return (await tested.rows(jobs, eq(jobs.kind, kind)))[0];
  };

  it('is given up, so that it does not end the other processes too', async () => {
    const conversation = await startConversation();
    await tested.service.db.delete(jobs);
    assert.equal(await runDying('close_conversation', { conversation }), undefined);
    const [row] = await tested.rows(conversations, eq(conversations.id, conversation));
    assert.equal(row!.state, 'ai_active');
  });

  it('runs later when it is the one that deletes old rows', async () => {
    const job = await runDying('prune');
    assert.deepEqual([job?.attempts, job && job.runAt.getTime() > tested.clock.now], [0, true]);
  });
});

describe('the leases of a dead process', () => {
  const holder = () => `${randomUUID()}/${randomUUID()}`;
  const until = () => new Date(tested.clock.now + leaseMs);

  it('do not delay the next turn, a job, or a delivery', async () => {
    const key = await tested.makeKey();
    const id = await startConversation(key);
    await tested.set(conversations, { turnHolder: holder(), turnUntil: until() }, eq(conversations.id, id));
    assert.equal((await tested.chat('Where can I park?', { key, conversation_id: id })).status, 200);

    await subscribe(['lead.created']);
    await emitTestEvent();
    await tested.set(deliveries, { holder: holder(), lockedUntil: until(), attempts: 1 });
    const runAt = new Date(tested.clock.now);
    const payload = { call: 'call_none' };
    await tested.add(jobs, { kind: 'expire_request', payload, runAt, holder: holder(), lockedUntil: until() });
    // Expired leases are searched for once a second.
    tested.clock.now += 1001;
    await tested.service.work();
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(await tested.rows(jobs, eq(jobs.kind, 'expire_request')), []);
  });

  it('do not delay the repetition of a call with its Idempotency-Key, unlike the lease of a process that may be alive', async () => {
    const key = await tested.makeKey({ scopes: [...scopes] });
    const init = {
      key,
      body: { external_id: 'after-the-death' },
      headers: { 'idempotency-key': 'death' },
    };
    const create = () => tested.call('POST', '/contacts', init);
    const first = await create();
    const lose = (by: string, leaseUntil: Date) =>
      tested.set(idempotencyKeys, { status: null, response: null, holder: by, leaseUntil });
    await lose(randomUUID(), until());
    assert.equal((await create()).error.code, 'idempotency_in_progress');
    for (const [by, leaseUntil] of [
      [holder(), until()],
      [randomUUID(), new Date(tested.clock.now - 1)],
    ] as const) {
      await lose(by, leaseUntil);
      const again = await create();
      assert.equal(again.headers.get('idempotent-replayed'), null);
      assert.equal(again.body.id, first.body.id, 'the call runs again, and finds its own effect');
    }
  });
});
