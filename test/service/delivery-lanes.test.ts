import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import { eq, isNotNull } from 'drizzle-orm';
import { createEncryption } from '../../service/core/encryption.ts';
import { noObserver } from '../../service/core/observer.ts';
import { deliveries, webhookEndpoints } from '../../service/db/schema.ts';
import { createDeliveryQueue } from '../../service/events/delivery-queue.ts';
import { ok } from './receiver.ts';
import { eventually } from './support.ts';
import { useWebhooks } from './webhook-fixture.ts';

const minute = 60_000;
// The runner runs, and its clock is moved by the test. The timeout is long enough for requests that the test holds.
const { tested, receiver, subscribe, emitTestEvent } = useWebhooks({ background: true, deliveryTimeoutMs: 60_000 });

/** The requests that have no response yet. */
const held: ServerResponse[] = [];
let mostHeld = 0;
const hold = (response: ServerResponse) => {
  held.push(response);
  mostHeld = Math.max(mostHeld, held.length);
};
const respond = (status: number) => held.shift()!.writeHead(status).end();
const respondToAll = () => {
  receiver.respond = ok;
  while (held.length > 0) respond(204);
};
const isHeld = (count: number) => eventually(async () => held.length === count);
const isReceived = (count: number) => eventually(async () => receiver.received.length >= count);
const endpointIs = (failing: boolean) =>
  eventually(async () => {
    const [endpoint] = await tested.rows(webhookEndpoints);
    return endpoint!.isFailing === failing;
  });
const isSettled = () =>
  eventually(async () => {
    const rows = await tested.rows(deliveries, isNotNull(deliveries.holder));
    return rows.length === 0;
  });

afterEach(async () => {
  respondToAll();
  await isSettled();
  mostHeld = 0;
});

describe('the deliveries of an endpoint', () => {
  it('are at most eight at a time while it is healthy, and one that ends makes room for the next', async () => {
    await subscribe(['lead.created']);
    receiver.respond = hold;
    for (let each = 0; each < 20; each++) await emitTestEvent();
    await isHeld(8);
    for (let each = 9; each <= 12; each++) {
      respond(204);
      await isReceived(each);
      await isHeld(8);
    }
    respondToAll();
    await isReceived(20);
    assert.equal(mostHeld, 8);
    assert.ok(receiver.received.every(({ repeated }) => !repeated));
  });

  it('are one at a time while it fails, and eight again after it has recovered', async () => {
    await subscribe(['lead.created']);
    receiver.respond = (response) => response.writeHead(500).end();
    await emitTestEvent();
    await endpointIs(true);
    receiver.respond = hold;
    for (let each = 0; each < 10; each++) await emitTestEvent();
    for (let each = 2; each <= 4; each++) {
      await isReceived(each);
      await isHeld(1);
      respond(503);
    }
    await isReceived(5);
    assert.equal(mostHeld, 1);
    respond(200);
    await isHeld(6);
    await endpointIs(false);
    for (let each = 0; each < 10; each++) await emitTestEvent();
    await isHeld(8);
    assert.equal(mostHeld, 8);
  });

  it('keep their retry times while the slots are taken, and start when a slot is free', async () => {
    await subscribe(['lead.created']);
    receiver.respond = (response) => response.writeHead(500).end();
    const failedAt = tested.clock.now;
    await emitTestEvent();
    await endpointIs(true);
    await isSettled();
    const [first] = await tested.rows(deliveries);
    const read = async () => (await tested.rows(deliveries, eq(deliveries.id, first!.id)))[0]!;
    assert.equal((await read()).nextAttemptAt!.getTime(), failedAt + minute);

    receiver.respond = hold;
    tested.clock.now = failedAt + 1000;
    await emitTestEvent();
    await isHeld(1);
    tested.clock.now = failedAt + minute;
    await tested.api('POST', '/contacts', { external_id: 'wakes the runner' });
    assert.deepEqual([(await read()).attempts, (await read()).nextAttemptAt!.getTime()], [1, failedAt + minute]);
    assert.equal(receiver.received.length, 2);

    receiver.respond = (response) => response.writeHead(500).end();
    respond(500);
    await isReceived(3);
    assert.match(String(receiver.received[2]!.headers['x-service-delivery']), new RegExp(`^dlv_${first!.id}_2$`));
    await isSettled();
    assert.equal((await read()).nextAttemptAt!.getTime(), tested.clock.now + 5 * minute);
  });
});

/** The context of another process of the database. */
const contextAt = (now: number) => ({
  db: tested.service.db,
  now: () => now,
  newHolder: () => randomUUID(),
  closing: new AbortController().signal,
  observer: noObserver,
  log: () => {},
  encryption: createEncryption('another key'),
  allowLoopback: true,
  deliveryTimeoutMs: 1000,
});

/** Adds deliveries of the event of the first one, which are due at a time. */
const addDeliveries = async (count: number, due: number, endpointOf: (each: number) => string) => {
  const { eventId, createdAt } = (await tested.rows(deliveries))[0]!;
  const common = { eventId, createdAt, status: 'pending' as const, nextAttemptAt: new Date(due) };
  const ids = Array.from({ length: count }, (_, each) => `000000000000${each + 10}`);
  await tested.add(
    deliveries,
    ids.map((id, each) => ({ ...common, id, endpointId: endpointOf(each) })),
  );
};

it('several processes together start at most eight deliveries of an endpoint', async () => {
  const { db } = tested.service;
  const { id } = await subscribe(['lead.created']);
  receiver.respond = hold;
  for (let each = 0; each < 4; each++) await emitTestEvent();
  await isHeld(4);
  const at = tested.clock.now;
  // Due for the other processes only, whose clocks are ahead.
  await tested.set(webhookEndpoints, { events: ['lead.created'] }, eq(webhookEndpoints.id, id));
  tested.clock.now = at + 500;
  await addDeliveries(30, at + 900, () => id);
  const context = contextAt(at + 900);
  const others = Array.from({ length: 5 }, () => createDeliveryQueue(context));
  const claimed = await Promise.all(others.map((queue) => queue.claim()));
  assert.equal(claimed.flat().length, 4);
  const inFlight = await tested.rows(deliveries, isNotNull(deliveries.holder));
  assert.equal(inFlight.length, 8);
  await db.delete(webhookEndpoints);
});

it('a process starts no more deliveries than its own limit, of all endpoints together', async () => {
  const { db } = tested.service;
  const { id: other } = await subscribe(['message.created']);
  const { id } = await subscribe(['lead.created']);
  receiver.respond = hold;
  await emitTestEvent();
  await isHeld(1);
  const at = tested.clock.now;
  // Due for the other process only, whose clock is ahead.
  await addDeliveries(8, at + 60_000, (each) => (each % 2 === 0 ? id : other));
  const queue = createDeliveryQueue(contextAt(at + 60_000), 5);
  assert.equal((await queue.claim()).length, 5);
  assert.equal((await queue.claim()).length, 0);
  await db.delete(webhookEndpoints);
});
