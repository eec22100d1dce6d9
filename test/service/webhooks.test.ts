import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { events, webhookEndpoints, deliveries, notices } from '../../service/db/schema.ts';
import { emit } from '../../service/events/emit.ts';
import { newId } from '../../service/core/ids.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { leaseMs } from '../../service/db/lease.ts';
import { findWaitingEndpoints } from '../../service/events/claim-deliveries.ts';
import { valuesOf } from '../support/values-of.ts';
import { addWorkspace } from '../support/servers/workspaces.ts';
import { useWebhooks } from './webhook-fixture.ts';
import { ok } from './receiver.ts';

const minute = 60_000;
const { tested, receiver, subscribe, emitTestEvent } = useWebhooks({
  deliveryTimeoutMs: 3_000,
  encryptionKey: 'the key of the deliveries',
});

describe('the webhooks API', () => {
  it('encrypts the secret of an endpoint, and lists an event once that is sent twice', async () => {
    const { body } = await tested.api('POST', '/webhooks', {
      url: receiver.url,
      events: ['lead.created', 'lead.created'],
    });
    assert.deepEqual(body.events, ['lead.created']);
    const [stored] = await tested.rows(webhookEndpoints);
    assert.ok(!JSON.stringify(stored).includes(body.secret));
  });

  it('allows ten endpoints, even when calls race', async () => {
    const body = { url: receiver.url, events: ['lead.created'] };
    const all = await Promise.all(Array.from({ length: 11 }, () => tested.api('POST', '/webhooks', body)));
    assert.equal(all.filter(({ status }) => status === 201).length, 10);
    assert.deepEqual(
      all.filter(({ status }) => status !== 201).map(({ error }) => error.code),
      ['too_many_endpoints'],
    );
  });
});

it('emits no event for a transaction that is rolled back', async () => {
  await subscribe(['lead.created']);
  const { db } = tested.service;
  const id = newId('evt');
  await assert.rejects(
    db.transaction(async (tx) => {
      const at = new Date(tested.clock.now);
      await emit(tx, { workspaceId: 'wsp_palm_and_clay', agentId: null, type: 'lead.created', data: { id }, at });
      throw new Error('no');
    }),
  );
  await tested.service.work();
  assert.deepEqual(receiver.received, []);
  assert.ok((await tested.rows(events)).every(({ data }) => data['id'] !== id));
});

describe('the service, for webhook deliveries', () => {
  it('begins with the endpoint that has waited longest, and ends with those that fail', async () => {
    const { db } = tested.service;
    const endpoints: string[] = [];
    for (let each = 0; each < 3; each++) endpoints.push((await subscribe(['lead.created'])).id);
    await emitTestEvent();
    const now = new Date(tested.clock.now);
    for (const [minutes, id] of endpoints.entries()) {
      const nextAttemptAt = new Date(tested.clock.now - minutes * minute);
      await tested.set(deliveries, { nextAttemptAt }, eq(deliveries.endpointId, id));
    }
    assert.deepEqual(await findWaitingEndpoints(db, now), endpoints.toReversed());
    await tested.set(webhookEndpoints, { isFailing: true }, eq(webhookEndpoints.id, endpoints[2]!));
    assert.deepEqual(await findWaitingEndpoints(db, now), [endpoints[1], endpoints[0], endpoints[2]]);
    await tested.service.work();
    assert.deepEqual(await findWaitingEndpoints(db, now), []);
  });

  it('signs each attempt also as Standard Webhooks, with the id of the event, and with a secret of an older version', async () => {
    for (const isOld of [false, true]) {
      receiver.clear();
      const { id: endpoint, secret } = await subscribe(['lead.created']);
      const used = isOld ? `whsec_${'-_'.repeat(16)}` : secret;
      if (isOld) {
        const encryptedSecret = createEncryption('the key of the deliveries').encrypt(used);
        await tested.set(webhookEndpoints, { encryptedSecret }, eq(webhookEndpoints.id, endpoint));
        receiver.secret = used;
      }
      const id = await emitTestEvent();
      receiver.respond = (response) => response.writeHead(503).end();
      await tested.service.work();
      tested.clock.now += minute;
      await tested.service.work();
      assert.equal(receiver.received.length, 2);
      const webhook = new Webhook(used.replaceAll('-', '+').replaceAll('_', '/').replace('whsec/', 'whsec_'));
      for (const { headers, raw } of receiver.received) {
        assert.equal(headers['webhook-id'], id);
        assert.equal(headers['webhook-timestamp'], headers['x-service-timestamp']);
        // The library compares the time of the signature with the clock.
        mock.timers.enable({ apis: ['Date'], now: tested.clock.now });
        try {
          webhook.verify(raw, headers as Record<string, string>);
          assert.throws(() => webhook.verify(`${raw} `, headers as Record<string, string>));
        } finally {
          mock.timers.reset();
        }
      }
      await tested.service.db.delete(webhookEndpoints);
    }
  });

  it('accepts a response of any size', async () => {
    await subscribe(['lead.created']);
    receiver.respond = (response) => response.writeHead(200).end(Buffer.alloc(10_000_000));
    await emitTestEvent();
    await tested.service.work();
    const [delivery] = await tested.rows(deliveries);
    assert.deepEqual([delivery?.status, delivery?.lastStatus], ['succeeded', 200]);
  });

  it('repeats an unrecorded delivery with the same event id', async () => {
    await subscribe(['lead.created']);
    await emitTestEvent();
    await tested.service.work();
    // Simulates a process that died before it recorded the response.
    const lockedUntil = new Date(tested.clock.now + leaseMs);
    const lost = {
      status: 'pending',
      nextAttemptAt: new Date(tested.clock.now),
      holder: 'a dead process',
      lockedUntil,
    } as const;
    await tested.set(deliveries, lost);
    tested.clock.now += leaseMs - 1;
    await tested.service.work();
    assert.equal(receiver.received.length, 1);
    // Expired leases are searched for once a second.
    tested.clock.now += 1000;
    await tested.service.work();
    assert.deepEqual(valuesOf(receiver.received, 'repeated'), [false, true]);
  });
});

it('counts only failed events in a row, and notifies the owner of an endpoint that is disabled', async () => {
  const { id } = await subscribe(['lead.created']);
  receiver.respond = (response) => response.writeHead(500).end();
  const failing = async (events: number) => {
    for (let at = 0; at < events; at++) await emitTestEvent();
    await tested.set(deliveries, { failures: 5 }, eq(deliveries.status, 'pending'));
    await tested.service.work();
  };
  await failing(19);
  receiver.clear();
  await emitTestEvent();
  await tested.service.work();
  receiver.respond = (response) => response.writeHead(500).end();
  await failing(19);
  assert.equal((await tested.api('GET', '/webhooks')).body.data[0].enabled, true);
  await failing(1);
  const [notice] = await tested.rows(notices);
  assert.equal(notice!.recipient, 'salma@palmandclay.example');
  assert.deepEqual(notice!.detail, { webhook_id: id, url: receiver.url });
});

const deadLetters = async (query = '', key?: string) =>
  (await tested.callTeam('GET', `/dead-letters${query}`, undefined, key)).body;

/** Emits an event whose last retry fails. */
const emitDeadLetter = async (status: number): Promise<string> => {
  receiver.respond = (response) => response.writeHead(status).end();
  const id = await emitTestEvent();
  await tested.set(deliveries, { failures: 5, attempts: 5 }, eq(deliveries.eventId, id));
  await tested.service.work();
  return id;
};

it('lists the deliveries whose retries are used up, and replays them', async () => {
  const { id: endpoint } = await subscribe(['lead.created']);
  receiver.respond = (response) => response.writeHead(500).end();
  await emitTestEvent();
  await tested.service.work();
  assert.deepEqual(await deadLetters(), { data: [], next_cursor: null }, 'it has retries left');

  const at = new Date(tested.clock.now).toISOString();
  const event = await emitDeadLetter(503);
  const { data } = await deadLetters();
  const { id, replay_path } = data[0];
  assert.deepEqual(data, [
    {
      id,
      event: { id: event, type: 'lead.created', created_at: at },
      endpoint: { id: endpoint, url: receiver.url, enabled: true },
      attempts: 6,
      last_status: 503,
      last_error: 'http_status',
      failed_at: at,
      replay_path: `/team/webhooks/${endpoint}/deliveries/${id}/replay`,
    },
  ]);

  receiver.respond = ok;
  assert.equal((await tested.callTeam('POST', replay_path.replace('/team', ''))).status, 202);
  assert.deepEqual((await deadLetters()).data, []);
  await tested.service.work();
  const { headers, event: delivered } = receiver.received.at(-1)!;
  assert.deepEqual([delivered.id, headers['x-service-delivery']], [event, `dlv_${id}_7`]);
});

it('replays a delivery once at a time', async () => {
  const { id } = await subscribe(['lead.created']);
  await tested.callTeam('POST', `/webhooks/${id}/test`);
  await tested.service.work();
  assert.deepEqual(receiver.received[0]!.event.data, { message: 'test' });
  const [delivery] = (await tested.callTeam('GET', `/webhooks/${id}/deliveries`)).body.data;
  const replay = async () => (await tested.callTeam('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`)).status;
  assert.deepEqual([await replay(), await replay()], [202, 409]);
  await tested.service.work();
  assert.equal(receiver.received[1]!.repeated, true);
});

it('lists the deliveries that were given up because their endpoint is off', async () => {
  const { id } = await subscribe(['lead.created']);
  await emitTestEvent();
  await tested.callTeam('PATCH', `/webhooks/${id}`, { enabled: false });
  await tested.service.work();
  const [only, ...others] = (await deadLetters()).data;
  assert.deepEqual(others, []);
  assert.deepEqual([only.last_error, only.endpoint.enabled, only.attempts], ['endpoint_disabled', false, 1]);
});

it('returns the deliveries of an endpoint, and the dead letters of the own workspace, in pages, newest first', async () => {
  const { id } = await subscribe(['lead.created']);
  const emitted: string[] = [];
  for (let each = 0; each < 3; each++) {
    tested.clock.now += 1000;
    emitted.unshift(await emitDeadLetter(500));
  }
  for (const path of [`/webhooks/${id}/deliveries`, '/dead-letters']) {
    const read = async (query: string) => (await tested.callTeam('GET', `${path}${query}`)).body;
    const first = await read('?limit=2');
    const second = await read(`?limit=2&cursor=${first.next_cursor}`);
    const ids = [...first.data, ...second.data].map(({ eventId, event }: any) => eventId ?? event.id);
    assert.deepEqual([ids, second.next_cursor], [emitted, null], path);
  }
  assert.equal((await tested.callTeam('GET', '/dead-letters?limit=0')).status, 422);
  const other = await addWorkspace(tested.service.db);
  assert.deepEqual((await deadLetters('', other.key)).data, []);
});
