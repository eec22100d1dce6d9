import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { events, webhookEndpoints } from '../../service/db/schema.ts';
import { emit } from '../../service/events/emit.ts';
import { newId } from '../../service/core/ids.ts';
import { useWebhooks } from './webhook-fixture.ts';

const { tested, receiver, subscribe } = useWebhooks();

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

  for (const [url, code] of [
    ['https://user:pass@example.com/', 'url_userinfo'],
    ['https://[::ffff:10.0.0.1]/', 'url_private'],
    ['https://0x0a000001/', 'url_private'],
    ['nonsense', 'url_invalid'],
  ] as const) {
    it(`rejects the URL ${url} with ${code}`, async () => {
      const { status, error } = await tested.api('POST', '/webhooks', { url, events: ['lead.created'] });
      assert.equal(status, 422);
      assert.deepEqual(
        (error.details as any[]).map((detail) => [detail.field, detail.code]),
        [['url', code]],
      );
    });
  }
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
