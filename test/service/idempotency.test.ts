import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import { conversations, idempotencyKeys, messages } from '../../service/db/schema.ts';
import { agentId } from '../../service/seed/business.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

const hours = 'What are your opening hours?';
const same = { 'idempotency-key': 'once-please' };

const started = () => tested.service.db.$count(conversations);

describe('the service, for a repeated call', () => {
  it('returns the first response without the token to another address', async () => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const first = await tested.chat(hours, { key, headers: same, address: '192.0.2.1' });
    assert.match(first.body.conversation_token!, /^ct_/);
    const other = await tested.chat(hours, { key, headers: same, address: '192.0.2.2' });
    const { conversation_token: _, ...withoutToken } = first.body;
    assert.deepEqual([other.status, other.headers.get('idempotent-replayed')], [200, 'true']);
    assert.deepEqual(other.body, withoutToken);
    assert.deepEqual((await tested.chat(hours, { key, headers: same, address: '192.0.2.1' })).body, first.body);
  });

  it('stores the token of the first response encrypted, and no address', async () => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const { body } = await tested.chat(hours, { key, headers: same, address: '192.0.2.77' });
    const stored = JSON.stringify(await tested.rows(idempotencyKeys));
    assert.ok(stored.includes(body.conversation_id));
    assert.ok(!stored.includes(body.conversation_token!) && !stored.includes('192.0.2.77'));
  });

  it('takes the same JSON for the same body, whatever its spacing and the order of its members', async () => {
    const send = (body: string) =>
      tested.api('POST', '/contacts', body, { 'idempotency-key': 'spacing', 'content-type': 'application/json' });
    const first = await send('{"external_id":"spacing","name":"A é","attributes":{"one":1,"two":2}}');
    assert.equal(first.status, 201);
    for (const same of [
      '{ "name": "A é",\n  "attributes": {"two": 2.0, "one": 1},\r\n\t"external_id": "spacing" }',
      '{"external_id":"\\u0073pacing","name":"A \\u00e9","attributes":{"one":1,"two":2}}',
    ]) {
      const { status, headers, body } = await send(same);
      assert.deepEqual([status, headers.get('idempotent-replayed'), body], [201, 'true', first.body], same);
    }
    for (const other of [
      '{"external_id":"spacing","name":"A é","attributes":{"one":2,"two":1}}',
      '{"external_id":"spacing","name":"A  é","attributes":{"one":1,"two":2}}',
      '{"external_id":"spacing","name":"A é","attributes":{"one":"1","two":2}}',
    ])
      assert.equal((await send(other)).error.code, 'idempotency_key_reused', other);
  });
});

describe('the service, for a rejected call', () => {
  it('leaves the Idempotency-Key free after a rejected call', async () => {
    const key = await tested.makeKey();
    const refused = await tested.chat(hours, { key, headers: same, conversation_id: 'cnv_never' });
    assert.equal(refused.status, 404);
    assert.equal((await tested.chat(hours, { key, headers: same })).status, 200);
  });

  it('rejects an Idempotency-Key that is too long', async () => {
    const { status } = await tested.chat(hours, { headers: { 'idempotency-key': 'x'.repeat(256) } });
    assert.equal(status, 422);
  });
});

it('the service resumes a call that failed unexpectedly with one conversation, one message and one reply', async () => {
  const { db } = tested.service;
  const key = await tested.makeKey({ kind: 'publishable' });
  const before = await started();
  await db.execute(sql`alter table messages add constraint broken check (role <> 'assistant') not valid`);
  assert.equal((await tested.chat(hours, { key, headers: same })).status, 500);
  await db.execute(sql`alter table messages drop constraint broken`);
  assert.equal(await started(), before + 1);

  tested.clock.now += 1000;
  const { status, body } = await tested.chat(hours, { key, headers: same });
  assert.equal(status, 200);
  assert.equal(await started(), before + 1);
  const said = await tested.rows(messages, eq(messages.conversationId, body.conversation_id));
  assert.deepEqual(said.map(({ actorType }) => actorType).toSorted(), ['ai', 'visitor']);
  const { conversation_id, conversation_token } = body;
  const next = await tested.chat('and parking?', { key, conversation_id, conversation_token: conversation_token! });
  assert.equal(next.status, 200, 'the token of the second attempt is the one that holds');
  assert.deepEqual((await tested.chat(hours, { key, headers: same })).body, body);
});

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
  [
    '/webhooks',
    201,
    () => ({ url: 'https://93.184.216.34/hook', events: ['lead.created'], description: `Once ${made}` }),
    true,
  ],
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
    });
  }
});
