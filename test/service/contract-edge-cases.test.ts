import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { actionCalls, deliveries, webhookEndpoints } from '../../service/db/schema.ts';
import { agentId } from '../../service/seed/business.ts';
import { useReceiver } from './receiver.ts';
import { useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const receiver = useReceiver(() => tested.clock.now);

const agentPath = `/agents/${agentId}`;

let made = 0;
/** Every creating POST with a unique body. */
const creating: [path: string, status: number, body: () => object, hasLocation: boolean][] = [
  ['/contacts', 201, () => ({ external_id: `once-${made}` }), true],
  [`${agentPath}/sources`, 202, () => ({ type: 'text', name: `Once ${made}`, text: `Only ${made}.` }), true],
  [
    `${agentPath}/sources/questions`,
    201,
    () => ({ name: `Batch ${made}`, items: [{ question: `Once ${made}?`, answer: 'Yes.' }] }),
    true,
  ],
  [`${agentPath}/actions`, 201, () => ({ name: `once_${made}`, kind: 'client_tool' }), true],
  ['/webhooks', 201, () => ({ url: receiver.url, events: ['lead.created'], description: `Once ${made}` }), true],
  [`${agentPath}/chat`, 200, () => ({ messages: [{ role: 'user', content: 'Hello' }] }), false],
];

describe('the service, for a creating call with an Idempotency-Key', () => {
  for (const [path, status, body, hasLocation] of creating) {
    it(`creates one resource at ${path} and returns its Location each time`, async () => {
      made++;
      const sent = body();
      const headers = { 'idempotency-key': `once-${made}` };
      const raced = await Promise.all(Array.from({ length: 5 }, () => tested.api('POST', path, sent, headers)));
      const done = raced.filter((response) => response.status === status);
      assert.ok(done.length >= 1);
      for (const { status: other, error } of raced.filter((response) => !done.includes(response))) {
        assert.deepEqual([other, error.code], [409, 'idempotency_in_progress']);
      }
      const again = await tested.api('POST', path, sent, headers);
      assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [status, 'true']);
      const idOf = (response: { body: any }) => response.body.id ?? response.body.conversation_id;
      assert.equal(new Set([...done, again].map(idOf)).size, 1);
      for (const response of [...done, again]) {
        const location = response.headers.get('location');
        if (hasLocation) assert.ok(location?.endsWith(`/${idOf(response)}`), String(location));
        else assert.equal(location, null);
      }
      const other = await tested.api('POST', path, { ...sent, locale: 'ar', name: 'other' }, headers);
      assert.deepEqual([other.status, other.error.code], [422, 'idempotency_key_reused']);
    });
  }
});

describe('a list that grows during paging', () => {
  const chat = async () => (await tested.chat('I want to talk to a human')).body.conversation_id;
  const order = async () => {
    const { body } = await tested.chat('I want a custom order', { key });
    made++;
    const text = `Name: Huda\nPhone: 9222${1000 + made}\nWhat to make: Tiles\nHow many: 1`;
    await tested.chat(text, { key, conversation_id: body.conversation_id });
  };
  const lists: [path: string, grow: () => Promise<unknown>][] = [
    [`${agentPath}/conversations`, chat],
    ['/tickets', chat],
    ['/leads', order],
    [`${agentPath}/submissions`, order],
    [`${agentPath}/actions/act_custom_order/calls`, order],
    ['/contacts', () => tested.api('POST', '/contacts', { external_id: `grown-${made++}` })],
    ['/webhooks', () => tested.api('POST', '/webhooks', { url: receiver.url, events: ['lead.created'] })],
    [
      `${agentPath}/sources`,
      () => tested.api('POST', `${agentPath}/sources`, { type: 'text', name: `Grown ${made++}`, text: 'Some text.' }),
    ],
  ];
  for (const [path, grow] of lists) {
    it(`neither skips nor repeats items of ${path} while it grows`, async () => {
      await tested.service.db.delete(webhookEndpoints);
      // Some rows have the same millisecond.
      for (let at = 0; at < 5; at++) {
        await grow();
        if (at % 2) tested.clock.now += 1000;
      }
      tested.nextMinute();
      const before = (await tested.api('GET', `${path}?limit=100`)).body.data.map(({ id }: any) => id);
      const read: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { status, body }: any = await tested.api('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
        assert.equal(status, 200);
        read.push(...body.data.map(({ id }: any) => id));
        cursor = body.next_cursor;
        if (read.length === 2) {
          tested.clock.now += 1000;
          await grow();
        }
        if (read.length % 30 === 0) tested.nextMinute();
      }
      assert.deepEqual(read, before);
    });
  }
});

it('deletes calls together with their action, and deliveries together with their endpoint', async () => {
  const { db } = tested.service;
  const calls = await tested.rows(actionCalls, eq(actionCalls.actionId, 'act_custom_order'));
  assert.ok(calls.length > 0);
  assert.equal((await tested.api('DELETE', `${agentPath}/actions/act_custom_order`)).status, 204);
  assert.deepEqual(await tested.rows(actionCalls, eq(actionCalls.actionId, 'act_custom_order')), []);
  assert.ok((await tested.api('GET', '/leads')).body.data.length > 0, 'the leads of its forms stay');
  await db.delete(webhookEndpoints);
  const { body } = await tested.api('POST', '/webhooks', { url: receiver.url, events: ['message.created'] });
  receiver.secret = body.secret;
  await tested.chat('Hello', { key });
  assert.equal((await tested.rows(deliveries)).length, 2);
  assert.equal((await tested.api('DELETE', `/webhooks/${body.id}`)).status, 204);
  assert.deepEqual([await tested.rows(webhookEndpoints), await tested.rows(deliveries)], [[], []]);
  receiver.clear();
  await tested.service.work();
  assert.deepEqual(receiver.received, []);
});
