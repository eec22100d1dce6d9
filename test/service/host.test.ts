import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { describe, it } from 'node:test';
import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { webhookEndpoints, conversations } from '../../service/db/schema.ts';
import { createEventFilter, isGenuine } from '../../demo/host/webhooks.ts';
import { hour } from './support.ts';
import { useHost, proofOf } from './host-fixture.ts';

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
    const [endpoint] = await tested.rows(webhookEndpoints);
    const path = `/webhooks/${endpoint!.id}/deliveries`;
    const { body } = await tested.callTeam('GET', path);
    for (const each of body.data) await tested.callTeam('POST', `${path}/${each.id}/replay`);
    await tested.service.work();
    await reply(id, 'Twice');
    await tested.service.work();
    assert.equal((await page.next('message')).content, 'Twice');
    assert.equal((await tested.rows(webhookEndpoints))[0]!.failuresInRow, 0);
  });
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

describe('the receiver of webhooks', () => {
  const secret = 'whsec_x';
  const now = Date.parse('2026-10-05T06:00:00.000Z');
  const sign = (raw: Buffer, at: number, by = secret) =>
    `t=${at},v1=${createHmac('sha256', by).update(`${at}.`).update(raw).digest('hex')}`;

  it('accepts a webhook that is signed with the endpoint’s secret within 300 seconds', () => {
    const raw = Buffer.from('{"text": "\u0645\u0631\u062d\u0628\u0627",  "n": 1.0}');
    const at = now / 1000;
    assert.equal(isGenuine(raw, sign(raw, at), secret, now), true);
    for (const late of [300, -300]) assert.equal(isGenuine(raw, sign(raw, at + late), secret, now), true);
    for (const [what, signature, body] of [
      ['301 seconds old', sign(raw, at - 301), raw],
      ['301 seconds ahead', sign(raw, at + 301), raw],
      ['another secret', sign(raw, at, 'whsec_y'), raw],
      ['another time than was signed', sign(raw, at).replace(/t=\d+/, `t=${at + 1}`), raw],
      ['written again', sign(raw, at), Buffer.from(JSON.stringify(JSON.parse(raw.toString())))],
      ['short', `t=${at},v1=00`, raw],
      ['none', '', raw],
    ] as const) {
      assert.equal(isGenuine(body, signature, secret, now), false, what);
    }
  });

  it('accepts any of several signatures, as while the secret is being replaced', () => {
    const raw = Buffer.from('{}');
    const at = now / 1000;
    const value = (by: string) => sign(raw, at, by).split(',')[1]!;
    const [old, current, foreign] = [value('whsec_old'), value(secret), value('whsec_foreign')];
    for (const values of [
      [old, current],
      [current, old],
      [foreign, old, current],
    ]) {
      assert.equal(isGenuine(raw, [`t=${at}`, ...values].join(','), secret, now), true);
    }
    for (const values of [[old, foreign], [], [current, 'v0=00'], Array.from({ length: 6 }, () => current)]) {
      assert.equal(isGenuine(raw, [`t=${at}`, ...values].join(','), secret, now), false);
    }
  });

  it('handles an event once, however late its last retry is', () => {
    const minute = 60_000;
    let time = now;
    const isNew = createEventFilter(() => time);
    assert.equal(isNew('evt_1'), true);
    for (const wait of [1, 5, 30, 120, 720]) {
      time += wait * minute;
      assert.equal(isNew('evt_1'), false, `${wait} minutes later`);
    }
    assert.equal(isNew('evt_2'), true);
  });
});

describe('the first proof of a conversation', () => {
  /** The number of calls that the relay makes with the secret key. */
  const calls = () => tested.log.filter(({ route }) => String(route).startsWith('/api/v2/conversations/')).length;
  const at = (address: string) => ({ 'x-forwarded-for': address });

  it('is accepted only in the first 60 seconds of the conversation', async () => {
    const [inTime, late] = [await visitor(), await visitor()];
    tested.clock.now += 59_999;
    assert.equal((await follow(inTime.id, inTime.proof)).status, 200);
    tested.clock.now += 1;
    assert.equal((await follow(late.id, late.proof)).status, 403);
    tested.clock.now += 10_000;
    assert.equal((await follow(inTime.id, inTime.proof)).status, 200);
  });

  it('cannot replace the proof of the visitor, also while it is being checked', async () => {
    const { id, proof } = await visitor();
    const [first, other, same] = await Promise.all([
      follow(id, proof, at('192.0.2.1')),
      follow(id, proofOf('another'), at('192.0.2.2')),
      follow(id, proof, at('192.0.2.3')),
    ]);
    assert.deepEqual([first.status, other.status, same.status], [200, 403, 200]);
    for (const wrong of [proofOf('another'), '', 'short']) assert.equal((await follow(id, wrong)).status, 403, wrong);
    assert.equal((await follow(id, proof)).status, 200);
  });

  it('is rejected for a conversation of another agent', async () => {
    const { id, proof } = await visitor();
    await tested.set(conversations, { agentId: tested.service.demo.pausedAgentId }, eq(conversations.id, id));
    assert.equal((await follow(id, proof)).status, 403);
  });

  it('uses the secret key once for a conversation that was rejected', async () => {
    const before = calls();
    for (let request = 0; request < 5; request++) {
      assert.equal((await follow('cnv_unknown', proofOf(String(request)), at(`192.0.2.${request}`))).status, 403);
    }
    assert.equal(calls() - before, 1);
    for (const id of ['', '../me', 'a b', 'x'.repeat(101)]) {
      assert.equal((await follow(encodeURIComponent(id), proofOf('x'))).status, 403);
    }
    assert.equal(calls() - before, 1);
  });

  it('limits an address, and leaves calls of the secret key to proven visitors', async () => {
    const proven = await visitor();
    assert.equal((await follow(proven.id, proven.proof, at('198.51.100.1'))).status, 200);
    tested.nextMinute();
    const statuses: number[] = [];
    for (let request = 0; request < 15; request++) {
      statuses.push((await follow(`cnv_guess_${request}`, proofOf('x'), at('203.0.113.1'))).status);
    }
    assert.deepEqual([statuses[9], statuses[10], statuses[14]], [403, 429, 429]);
    for (let request = 15; request < 100; request++) {
      const page = await follow(`cnv_guess_${request}`, proofOf('x'), at(`203.0.113.${request}`));
      statuses.push(page.status);
      if (page.status === 429) assert.ok(Number(page.headers.get('retry-after')) > 0);
    }
    assert.equal(statuses.filter((status) => status === 403).length, 18);
    assert.equal((await follow(proven.id, proven.proof, at('203.0.113.1'))).status, 200);
    const { status } = await tested.api('GET', '/me');
    assert.equal(status, 200);
  });

  it('is looked up again when the clock was set back after the limit was reached', async () => {
    const statusOf = async (id: string) => (await follow(id, proofOf('x'), at('203.0.113.1'))).status;
    for (let request = 0; request < 10; request++) await statusOf(`cnv_early_${request}`);
    assert.equal(await statusOf('cnv_late'), 429);
    const day = 24 * 60 * 60_000;
    tested.clock.now -= day;
    assert.equal(await statusOf('cnv_late'), 403);
    tested.clock.now += day;
  });

  it('is bound beyond the limit when a webhook has reported the conversation, and the replies follow later', async () => {
    const reported = await visitor();
    await tested.service.work();
    for (let request = 0; request < 40; request++) {
      await follow(`cnv_flood_${request}`, proofOf('x'), at(`203.0.113.${request}`));
    }
    const before = calls();
    assert.equal((await follow(reported.id, reported.proof, at('198.51.100.7'))).status, 429);
    assert.equal((await follow(reported.id, proofOf('another'), at('198.51.100.8'))).status, 403);
    assert.equal(calls(), before);
    tested.clock.now += 10 * 60_000;
    assert.equal((await follow(reported.id, reported.proof, at('198.51.100.7'))).status, 200);
    assert.equal((await follow(reported.id, proofOf('another'), at('198.51.100.8'))).status, 403);
  });
});
