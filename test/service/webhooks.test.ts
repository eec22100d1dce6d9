import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { deliveries, events, webhookEndpoints } from '../../service/db/schema.ts';
import { emit } from '../../service/events/emit.ts';
import { newId } from '../../service/core/ids.ts';
import { hour } from './support.ts';
import { useWebhooks } from './webhook-fixture.ts';

const { tested, receiver, subscribe, emitTestEvent, receivedTypes } = useWebhooks();
const key = tested.secretKey;

describe('the webhooks API', () => {
  it('returns the secret of an endpoint once and lists it without the secret', async () => {
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

  it('returns no secret in a replayed response', async () => {
    const init = { key, body: { url: receiver.url, events: ['lead.created'] }, headers: { 'idempotency-key': 'w1' } };
    const first = await tested.call('POST', '/webhooks', init);
    const again = await tested.call('POST', '/webhooks', init);
    assert.equal(again.status, 201);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, { ...first.body, secret: null });
  });

  it('allows ten endpoints, even when calls race', async () => {
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
    it(`rejects the URL ${url} with ${code}`, async () => {
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

  it('requires the scope of each subscribed event', async () => {
    const writer = await tested.makeKey({ scopes: ['webhooks:write', 'leads:read'] });
    const body = { url: receiver.url, events: ['lead.created', 'ticket.created'] };
    const { status, error } = await tested.call('POST', '/webhooks', { key: writer, body });
    assert.deepEqual([status, error.code, error.required_scope], [403, 'insufficient_scope', 'tickets:read']);
  });

  it('rejects an event that cannot be subscribed to', async () => {
    for (const type of ['webhook.test', 'lead.lost']) {
      const body = { url: receiver.url, events: [type] };
      assert.equal((await tested.call('POST', '/webhooks', { key, body })).status, 422);
    }
  });

  it('requires a key that is limited to some agents to name one of them', async () => {
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

  it('deletes deliveries together with their endpoint, and hides the endpoints of plugins', async () => {
    const { id } = await subscribe(['lead.created']);
    await emitTestEvent();
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

it('emits each event of a conversation once', async () => {
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
  assert.deepEqual(receivedTypes().toSorted(), [
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
  assert.deepEqual(receivedTypes(), []);
  assert.ok((await db.select().from(events)).every(({ data }) => data['id'] !== id));
});
