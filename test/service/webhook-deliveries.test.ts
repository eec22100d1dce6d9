import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { createEncryption } from '../../service/core/encryption.ts';
import { leaseMs } from '../../service/db/lease.ts';
import { deliveries, notices, webhookEndpoints } from '../../service/db/schema.ts';
import { findWaitingEndpoints } from '../../service/events/claim-deliveries.ts';
import { createTestService } from './support.ts';
import { useWebhooks } from './webhook-fixture.ts';
import { valuesOf } from '../support/values-of.ts';

const minute = 60_000;
const { tested, receiver, subscribe, emitTestEvent } = useWebhooks({
  deliveryTimeoutMs: 3_000,
  encryptionKey: 'the key of the deliveries',
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

  it('does not deliver to this machine unless the service allows it', async () => {
    const strict = await createTestService();
    try {
      const body = { url: receiver.url, events: ['lead.created'] };
      const { error } = await strict.api('POST', '/webhooks', body);
      assert.equal((error.details as any[])[0].code, 'url_not_https');
    } finally {
      await strict.service.close();
    }
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
