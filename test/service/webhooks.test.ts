import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { deliveries, events, notices, webhookEndpoints } from '../../service/db/schema.ts';
import { replay } from '../../service/events/deliver.ts';
import { emit } from '../../service/events/emit.ts';
import { addJob } from '../../service/jobs/queue.ts';
import { newId } from '../../service/core/ids.ts';
import { Receiver } from './receiver.ts';
import { hour, createTestService, type TestService } from './support.ts';

const minute = 60_000;
let tested: TestService;
let key: string;
let receiver: Receiver;
before(async () => {
  tested = await createTestService({ allowLoopback: true, deliveryTimeoutMs: 1500 });
  key = tested.service.demo.secretKey;
  receiver = new Receiver(() => tested.clock.now);
  await receiver.listen();
});
after(async () => {
  receiver.close();
  await tested.service.close();
});
beforeEach(() => {
  tested.nextMinute();
  receiver.clear();
});
afterEach(async () => {
  await tested.service.db.delete(webhookEndpoints);
});

const subscribe = async (types: string[], more: object = {}) => {
  const { body, status } = await tested.call('POST', '/webhooks', {
    key,
    body: { url: receiver.url, events: types, ...more },
  });
  assert.equal(status, 201, JSON.stringify(body));
  receiver.secret = body.secret;
  return body;
};

/** Something to deliver. */
const happen = async (type: 'lead.created' | 'message.created' = 'lead.created') => {
  const { db } = tested.service;
  const happened = { workspaceId: 'wsp_palm_and_clay', agentId: tested.agentId, type, data: { id: 'x' } };
  return db.transaction((tx) => emit(tx, { ...happened, at: new Date(tested.clock.now) }));
};

const types = () => receiver.received.map(({ event }) => event.type);

describe('a subscription', () => {
  it('shows its secret once, says where it is, and is listed without it', async () => {
    const { status, headers, body } = await tested.call('POST', '/webhooks', {
      key,
      body: { url: receiver.url, events: ['lead.created', 'lead.created'], description: 'CRM' },
    });
    assert.equal(status, 201);
    assert.equal(headers.get('location'), `/api/v2/webhooks/${body.id}`);
    assert.match(body.secret, /^whsec_/);
    assert.deepEqual(body.events, ['lead.created']);
    assert.deepEqual([body.enabled, body.disabled_reason, body.agent_id], [true, null, null]);
    const listed = await tested.call('GET', '/webhooks', { key: await tested.makeKey({ scopes: ['webhooks:write'] }) });
    const { secret: _, ...shown } = body;
    assert.deepEqual(listed.body.data, [shown]);
    const [stored] = await tested.service.db.select().from(webhookEndpoints);
    assert.ok(!JSON.stringify(stored).includes(body.secret));
  });

  it('replayed has no secret', async () => {
    const init = { key, body: { url: receiver.url, events: ['lead.created'] }, headers: { 'idempotency-key': 'w1' } };
    const first = await tested.call('POST', '/webhooks', init);
    const again = await tested.call('POST', '/webhooks', init);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, { ...first.body, secret: null });
  });

  it('is one of ten, even at once', async () => {
    const body = { url: receiver.url, events: ['lead.created'] };
    const all = await Promise.all(Array.from({ length: 11 }, () => tested.call('POST', '/webhooks', { key, body })));
    assert.equal(all.filter(({ status }) => status === 201).length, 10);
    assert.deepEqual(
      all.filter(({ status }) => status !== 201).map(({ error }) => error.code),
      ['too_many_endpoints'],
    );
  });

  for (const [url, code] of [
    ['http://example.com/', 'url_not_https'],
    ['https://user:pass@example.com/', 'url_userinfo'],
    ['https://example.com:8080/', 'url_port'],
    ['https://10.0.0.1/', 'url_private'],
    ['https://[fd00::1]/', 'url_private'],
    ['https://[::ffff:10.0.0.1]/', 'url_private'],
    ['https://0x0a000001/', 'url_private'],
    ['https://169.254.169.254/', 'url_private'],
    ['https://nowhere.invalid/', 'url_unresolved'],
    ['nonsense', 'url_invalid'],
  ] as const) {
    it(`to ${url} is refused as ${code}`, async () => {
      const { status, error } = await tested.call('POST', '/webhooks', {
        key,
        body: { url, events: ['lead.created'] },
      });
      assert.equal(status, 422);
      assert.deepEqual(
        (error.details as any[]).map((detail) => [detail.field, detail.code]),
        [['url', code]],
      );
    });
  }

  it('to an event needs the scope that reads it', async () => {
    const writer = await tested.makeKey({ scopes: ['webhooks:write', 'leads:read'] });
    const body = { url: receiver.url, events: ['lead.created', 'ticket.created'] };
    const { status, error } = await tested.call('POST', '/webhooks', { key: writer, body });
    assert.deepEqual([status, error.code, error.required_scope], [403, 'insufficient_scope', 'tickets:read']);
  });

  it('to what cannot be subscribed to is refused', async () => {
    for (const type of ['webhook.test', 'lead.lost']) {
      const body = { url: receiver.url, events: [type] };
      assert.equal((await tested.call('POST', '/webhooks', { key, body })).status, 422);
    }
  });

  it('by a key limited to some agents is pinned to one of them', async () => {
    const scopes = ['webhooks:read', 'webhooks:write', 'leads:read'] as const;
    const limited = await tested.makeKey({ scopes: [...scopes], agentIds: [tested.agentId] });
    const whole = await subscribe(['lead.created']);
    const body = { url: receiver.url, events: ['lead.created'] };
    const none = await tested.call('POST', '/webhooks', { key: limited, body });
    assert.deepEqual(
      [none.status, none.error.code, none.error.details],
      [403, 'insufficient_scope', 'agent_allowlist'],
    );
    const other = { ...body, agent_id: tested.service.demo.pausedAgentId };
    assert.equal((await tested.call('POST', '/webhooks', { key: limited, body: other })).status, 404);
    const mine = await tested.call('POST', '/webhooks', { key: limited, body: { ...body, agent_id: tested.agentId } });
    assert.equal(mine.status, 201);
    const listed = await tested.call('GET', '/webhooks', { key: limited });
    assert.deepEqual(
      listed.body.data.map(({ id }: any) => id),
      [mine.body.id],
    );
    assert.equal((await tested.call('DELETE', `/webhooks/${whole.id}`, { key: limited })).status, 404);
    assert.equal((await tested.call('DELETE', `/webhooks/${mine.body.id}`, { key: limited })).status, 204);
  });

  it('removed takes its log along; a plugin’s is not there at all', async () => {
    const { id } = await subscribe(['lead.created']);
    await happen();
    assert.equal((await tested.call('DELETE', `/webhooks/${id}`, { key })).status, 204);
    assert.equal((await tested.call('DELETE', `/webhooks/${id}`, { key })).status, 404);
    assert.deepEqual(await tested.service.db.select().from(deliveries), []);
    const plugin = await subscribe(['lead.created']);
    const { db } = tested.service;
    await db.update(webhookEndpoints).set({ plugin: 'helper' }).where(eq(webhookEndpoints.id, plugin.id));
    assert.equal((await tested.call('DELETE', `/webhooks/${plugin.id}`, { key })).status, 404);
    assert.deepEqual((await tested.call('GET', '/webhooks', { key })).body.data, []);
  });
});

describe('a delivery', () => {
  it('carries the event, signed', async () => {
    await subscribe(['lead.created']);
    const id = await happen();
    await happen('message.created');
    await tested.service.work();
    assert.equal(receiver.refused, 0);
    const [{ event, headers }] = receiver.received as [(typeof receiver.received)[0]];
    assert.equal(receiver.received.length, 1);
    assert.equal(event.id, id);
    assert.equal(event.workspace_id, 'wsp_palm_and_clay');
    assert.equal(event.agent_id, tested.agentId);
    assert.deepEqual(event.data, { id: 'x' });
    assert.equal(headers['x-service-event'], 'lead.created');
    assert.match(String(headers['x-service-delivery']), /^dlv_[0-9a-f]+_1$/);
    assert.equal(headers['x-service-timestamp'], String(Math.floor(tested.clock.now / 1000)));
  });

  it('pinned to another agent is not made', async () => {
    await subscribe(['lead.created'], { agent_id: tested.service.demo.pausedAgentId });
    await happen();
    await tested.service.work();
    assert.deepEqual(types(), []);
  });

  it('that fails is tried again at 1, 5, 30, 120 and 720 minutes, then marked failed', async () => {
    await subscribe(['lead.created']);
    receiver.respond = (response) => response.writeHead(503).end();
    await happen();
    const begun = tested.clock.now;
    const at: number[] = [];
    for (const wait of [0, 1, 5, 30, 120, 720, 720]) {
      tested.clock.now += wait * minute - 1;
      await tested.service.work();
      tested.clock.now += 1;
      const before = receiver.received.length;
      await tested.service.work();
      if (receiver.received.length > before) at.push((tested.clock.now - begun) / minute);
    }
    assert.deepEqual(at, [0, 1, 6, 36, 156, 876]);
    assert.deepEqual(
      receiver.received.map(({ headers }) => String(headers['x-service-delivery']).split('_')[2]),
      ['1', '2', '3', '4', '5', '6'],
    );
    assert.deepEqual(
      receiver.received.map(({ repeated }) => repeated),
      [false, true, true, true, true, true],
    );
    const [delivery] = await tested.service.db.select().from(deliveries);
    assert.deepEqual([delivery!.status, delivery!.lastStatus], ['failed', 503]);

    receiver.respond = (response) => response.writeHead(200).end();
    assert.equal(await replay(tested.service.db, delivery!.id, new Date(tested.clock.now)), true);
    await tested.service.work();
    assert.match(String(receiver.received.at(-1)!.headers['x-service-delivery']), /_7$/);
    const [replayed] = await tested.service.db.select().from(deliveries);
    assert.equal(replayed!.status, 'succeeded');
  });

  for (const [what, respond, error] of [
    ['a redirect', (response: any) => response.writeHead(302, { location: receiver.url }).end(), 'http_status'],
    ['no answer', () => {}, 'timeout'],
    [
      'an answer that drips',
      (response: any) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(drip));
      },
      'timeout',
    ],
    ['a cut connection', (response: any) => response.socket.destroy(), 'unreachable'],
  ] as const) {
    it(`answered by ${what} has failed`, async () => {
      await subscribe(['lead.created']);
      receiver.respond = respond;
      await happen();
      await tested.service.work();
      assert.equal(receiver.received.length, 1);
      const [delivery] = await tested.service.db.select().from(deliveries);
      assert.deepEqual([delivery!.status, delivery!.failures, delivery!.lastError], ['pending', 1, error]);
    });
  }

  it('made and not recorded is made again under the same event, which the receiver knows', async () => {
    await subscribe(['lead.created']);
    await happen();
    await tested.service.work();
    const [delivery] = await tested.service.db.select().from(deliveries);
    // As if the process had died between the answer and its record.
    await tested.service.db.update(deliveries).set({ status: 'pending' });
    await addJob(tested.service.db, 'deliver', { delivery: delivery!.id }, new Date(tested.clock.now));
    await tested.service.work();
    assert.deepEqual(
      receiver.received.map(({ repeated }) => repeated),
      [false, true],
    );
  });

  it('to this machine is refused unless the service was told to allow it', async () => {
    const strict = await createTestService({ deliveryTimeoutMs: 1500 });
    try {
      const body = { url: receiver.url, events: ['lead.created'] };
      const { error } = await strict.call('POST', '/webhooks', { key: strict.service.demo.secretKey, body });
      assert.equal((error.details as any[])[0].code, 'url_not_https');
    } finally {
      await strict.service.close();
    }
  });
});

it('twenty events failed in a row switch an endpoint off, and the owner is told', async () => {
  const { id } = await subscribe(['lead.created']);
  const { db } = tested.service;
  receiver.respond = (response) => response.writeHead(500).end();
  const failing = async (events: number) => {
    for (let at = 0; at < events; at++) await happen();
    await db.update(deliveries).set({ failures: 5 }).where(eq(deliveries.status, 'pending'));
    await tested.service.work();
  };
  await failing(19);
  receiver.clear();
  await happen();
  await tested.service.work();
  receiver.respond = (response) => response.writeHead(500).end();
  await failing(19);
  assert.equal((await tested.call('GET', '/webhooks', { key })).body.data[0].enabled, true);
  await failing(1);
  const [endpoint] = (await tested.call('GET', '/webhooks', { key })).body.data;
  assert.deepEqual([endpoint.enabled, endpoint.disabled_reason], [false, 'failures']);
  const [notice] = await db.select().from(notices);
  assert.equal(notice!.recipient, 'salma@palmandclay.example');
  assert.deepEqual(notice!.detail, { webhook_id: id, url: receiver.url });
  receiver.clear();
  await happen();
  await tested.service.work();
  assert.deepEqual(types(), []);
});

it('a conversation tells its story, once each', async () => {
  await subscribe([
    'conversation.started',
    'message.created',
    'conversation.handoff_requested',
    'form.submitted',
    'lead.created',
    'lead.updated',
    'lead.status_changed',
    'conversation.closed',
  ]);
  const { body } = await tested.chat('I want a custom order', { key });
  const init = { key, conversation_id: body.conversation_id };
  await tested.chat('Name: Aisha\nPhone: 90000000\nWhat to make: Tiles\nHow many: 2', init);
  await tested.chat('I want to talk to a human', init);
  const { body: leads } = await tested.call('GET', '/leads?limit=1', { key });
  await tested.call('PATCH', `/leads/${leads.data[0].id}`, { key, body: { status: 'closed' } });
  await tested.service.work();
  tested.clock.now += 24 * hour;
  await tested.service.work();
  await tested.service.work();
  assert.deepEqual(types().toSorted(), [
    'conversation.closed',
    'conversation.handoff_requested',
    'conversation.started',
    'form.submitted',
    'lead.created',
    'lead.status_changed',
    'lead.updated',
    ...Array.from({ length: 6 }, () => 'message.created'),
  ]);
  const of = (type: string) => receiver.received.find(({ event }) => event.type === type)!.event.data;
  assert.equal(of('message.created').conversation_id, body.conversation_id);
  assert.equal(of('lead.status_changed').previous_status, 'new');
  assert.equal(of('lead.created').status, 'new');
  assert.equal(of('conversation.closed').state, 'closed');
  assert.equal(of('form.submitted').action.name, 'custom_order_request');
  assert.equal(of('conversation.handoff_requested').state, 'handoff_requested');
});

it('what is rolled back is told to nobody', async () => {
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
  assert.deepEqual(types(), []);
  assert.ok((await db.select().from(events)).every(({ data }) => data['id'] !== id));
});
