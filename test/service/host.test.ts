import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { describe, it } from 'node:test';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { webhookEndpoints } from '../../service/db/schema.ts';
import { hour } from './support.ts';
import { useHost } from './host-fixture.ts';

const fixture = useHost();
const { tested, follow, visitor, start } = fixture;

const reply = (id: string, text: string) =>
  replyAsTeam({ db: tested.service.db, now: () => tested.clock.now }, id, text);
const closeTicket = async (id: string) => {
  const { body } = await tested.api('GET', '/tickets?limit=100');
  const ticket = body.data.find((each: any) => each.conversation_id === id);
  await tested.api('PATCH', `/tickets/${ticket.id}`, { status: 'closed' });
};

describe('the relay', () => {
  it('relays the state and the replies of the team as they happen', async () => {
    const { id, proof } = await visitor();
    const page = await follow(id, proof);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type')!, /^text\/event-stream/);
    assert.deepEqual(await page.next('conversation'), { conversation_id: id, state: 'handoff_requested' });
    tested.clock.now += 1000;
    const said = await reply(id, 'Salma here!');
    await tested.service.work();
    const message = await page.next('message');
    assert.deepEqual(
      [message.id, message.content, message.actor_type, message.conversation_id],
      [said.id, 'Salma here!', 'owner', id],
    );
    assert.equal((await page.next('conversation')).state, 'human_active');
    tested.clock.now += 1000;
    await closeTicket(id);
    await tested.service.work();
    assert.equal((await page.next('conversation')).state, 'ai_active');
  });

  it('continues after the last event, also in another process', async () => {
    const { id, proof } = await visitor();
    const [first, second] = [await reply(id, 'One'), await reply(id, 'Two')];
    assert.equal((await follow(id, proof)).status, 200);
    tested.clock.now += 90_000;
    const again = await start();
    try {
      const all = await follow(id, proof, {}, again);
      assert.deepEqual([(await all.next('message')).id, (await all.next('message')).id], [first.id, second.id]);
      const rest = await follow(id, proof, { 'last-event-id': first.id }, again);
      assert.equal((await rest.next('message')).id, second.id);
    } finally {
      await again.close();
      await fixture.host.close();
      fixture.host = await start();
    }
  });

  it('sends missed events of an ended conversation, then ends the stream', async () => {
    const { id, proof } = await visitor();
    const last = await reply(id, 'Good bye');
    assert.equal((await follow(id, proof)).status, 200);
    tested.clock.now += 24 * hour;
    await tested.service.work();
    const page = await follow(id, proof);
    assert.equal((await page.next('conversation')).state, 'closed');
    assert.equal((await page.next('message')).id, last.id);
    assert.equal(await page.next('message'), undefined);
    assert.equal((await follow(id, proof, { 'last-event-id': last.id })).status, 204);
  });

  it('keeps idle connections open and serves only known origins', async () => {
    const { id, proof } = await visitor();
    const page = await follow(id, proof, { origin: 'https://shop.example' });
    assert.equal(page.headers.get('access-control-allow-origin'), 'https://shop.example');
    assert.equal(await page.next('comment'), 'keep-alive');
    const other = await follow(id, proof, { origin: 'https://evil.example' });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
    const preflight = await fetch(`${fixture.host.url}/host/replies`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-headers': 'x-conversation-proof' },
    });
    assert.match(preflight.headers.get('access-control-allow-headers')!, /x-conversation-proof/i);
  });

  it('returns 503 while the service cannot be reached, and recovers', async () => {
    const { id, proof } = await visitor();
    await fixture.api.close();
    assert.equal((await follow(id, proof)).status, 503);
    fixture.api = await tested.service.listen(Number(new URL(fixture.api.url).port));
    assert.equal((await follow(id, proof)).status, 200);
  });
});

describe('the relay, for webhooks', () => {
  it('rejects a webhook by its headers before its body arrives', async () => {
    const inTime = `t=${Math.floor(tested.clock.now / 1000)},v1=${'0'.repeat(64)}`;
    for (const [expected, headers] of [
      [401, {}],
      [401, { 'x-service-signature': 't=1,v1=00' }],
      [401, { 'x-service-signature': inTime.replace(/t=\d+/, 't=1') }],
      [413, { 'x-service-signature': inTime, 'content-length': String(1024 * 1024 + 1) }],
    ] as const) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(`${fixture.host.url}/host/webhooks`, { method: 'POST', headers }, (response) => {
          resolve(response.statusCode);
          request.destroy();
        });
        request.on('error', reject);
        // The body never ends.
        request.write('{');
      });
      assert.equal(status, expected);
    }
    const body = Buffer.alloc(1024 * 1024 + 1, 32);
    const chunked = new Blob([body]).stream();
    const response = await fetch(`${fixture.host.url}/host/webhooks`, {
      method: 'POST',
      headers: { 'x-service-signature': inTime },
      body: chunked,
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 413);
  });

  it('subscribes the webhook once even if the backend starts again', async () => {
    await fixture.host.close();
    fixture.host = await start();
    const found = await tested.rows(webhookEndpoints);
    assert.equal(found.length, 1);
    assert.deepEqual([found[0]!.agentId, found[0]!.url], [tested.agentId, `${fixture.host.url}/host/webhooks`]);
  });

  it('relays a webhook once that is delivered twice', async () => {
    const { id, proof } = await visitor();
    const page = await follow(id, proof);
    const { content } = await reply(id, 'Once');
    await tested.service.work();
    assert.equal((await page.next('message')).content, content);
    const { body: log } = await deliveries();
    for (const each of log.data) await tested.callTeam('POST', `${log.path}/${each.id}/replay`);
    await tested.service.work();
    await reply(id, 'Twice');
    await tested.service.work();
    assert.equal((await page.next('message')).content, 'Twice');
    assert.equal((await tested.rows(webhookEndpoints))[0]!.failuresInRow, 0);
  });

  const deliveries = async () => {
    const [endpoint] = await tested.rows(webhookEndpoints);
    const path = `/webhooks/${endpoint!.id}/deliveries`;
    const { body } = await tested.callTeam('GET', path);
    return { body: { ...body, path } };
  };
});

it('issues an identity token only to a customer who is signed in', async () => {
  const { secret } = (await tested.callTeam('POST', `/agents/${tested.agentId}/identity-secret`)).body;
  await fixture.host.close();
  fixture.host = await start({ identitySecret: secret });
  const path = `${fixture.host.url}/host`;
  assert.equal((await fetch(`${path}/identity-token`)).status, 401);
  const entered = await fetch(`${path}/session`, { method: 'POST' });
  const setCookie = entered.headers.get('set-cookie')!;
  assert.match(setCookie, /HttpOnly.*SameSite=Strict/);
  const headers = { cookie: setCookie.split(';')[0]! };
  const issued = await fetch(`${path}/identity-token`, { headers });
  assert.equal(issued.headers.get('cache-control'), 'no-store');
  const contact = (await issued.json()) as { token: string };
  const { status } = await tested.chat('Hello', { contact });
  assert.equal(status, 200);
  const key = tested.service.demo.secretKey;
  const { body } = await tested.call('GET', '/contacts?external_id=cus_1042', { key });
  assert.deepEqual([body.data[0].name, body.data[0].verified], ['Aisha Al Lawati', true]);
  tested.clock.now += 12 * 60_000;
  assert.equal((await tested.chat('Hello', { contact })).error.code, 'identity_rejected');
  await fetch(`${path}/session`, { method: 'DELETE', headers });
  assert.equal((await fetch(`${path}/identity-token`, { headers })).status, 401);
});

it('does not start the backend when the service rejects its key', async () => {
  await assert.rejects(start({ secretKey: 'svc_sk_none' }), /401/);
});
