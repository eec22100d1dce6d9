import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { startHost, type Host } from '../../demo/host/host.ts';
import { isGenuine } from '../../demo/host/webhooks.ts';
import { replyAsTeam } from '../../service/chat/messages.ts';
import { conversations, webhookEndpoints } from '../../service/db/schema.ts';
import type { Listening } from '../../service/service.ts';
import { hour, readEvents, createTestService, type StreamEvent, type TestService } from './support.ts';

let tested: TestService;
let api: Listening;
let host: Host;
const leaving: AbortController[] = [];

const start = (more: object = {}) =>
  startHost({
    baseUrl: api.baseUrl,
    secretKey: tested.service.demo.secretKey,
    agentId: tested.agentId,
    origins: ['https://shop.example'],
    now: () => tested.clock.now,
    keepAlive: 20,
    ...more,
  });

before(async () => {
  tested = await createTestService({ allowLoopback: true });
  api = await tested.service.listen();
  host = await start();
});
after(async () => {
  await host.close();
  await tested.service.close();
});
beforeEach(() => tested.nextMinute());
afterEach(() => {
  for (const abort of leaving.splice(0)) abort.abort();
});

const proofOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** A page that subscribes to the relay of a conversation. */
const follow = async (id: string, proof: string, headers: Record<string, string> = {}, at = host) => {
  const abort = new AbortController();
  leaving.push(abort);
  const response = await fetch(`${at.url}/host/replies?conversation_id=${id}`, {
    headers: { 'x-conversation-proof': proof, ...headers },
    signal: abort.signal,
  });
  const events = readEvents(response);
  const next = async (event: string): Promise<any> => {
    for (;;) {
      const { value, done } = (await events.next()) as IteratorResult<StreamEvent, undefined>;
      if (done) return undefined;
      if (value.event === event) return value.data;
    }
  };
  return { status: response.status, headers: response.headers, next, leave: () => abort.abort() };
};

const visitor = async (content = 'I want to talk to a human') => {
  const key = await tested.makeKey({ kind: 'publishable' });
  const { body } = await tested.chat(content, { key });
  return { key, id: body.conversation_id, token: body.conversation_token!, proof: proofOf(body.conversation_token!) };
};
const reply = (id: string, text: string) =>
  replyAsTeam({ db: tested.service.db, now: () => tested.clock.now }, id, text);
const closeTicket = async (id: string) => {
  const key = tested.service.demo.secretKey;
  const { body } = await tested.call('GET', '/tickets?limit=100', { key });
  const ticket = body.data.find((each: any) => each.conversation_id === id);
  await tested.call('PATCH', `/tickets/${ticket.id}`, { key, body: { status: 'closed' } });
};

const team = async (method: string, path: string): Promise<{ body: any }> => {
  const response = await fetch(`${api.url}/team${path}`, {
    method,
    headers: { authorization: `Bearer ${tested.service.demo.secretKey}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
  });
  return { body: await response.json().catch(() => null) };
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
    const again = await start();
    try {
      const all = await follow(id, proof, {}, again);
      assert.deepEqual([(await all.next('message')).id, (await all.next('message')).id], [first.id, second.id]);
      const rest = await follow(id, proof, { 'last-event-id': first.id }, again);
      assert.equal((await rest.next('message')).id, second.id);
    } finally {
      await again.close();
      await host.close();
      host = await start();
    }
  });

  it('accepts only the proof with which a conversation was followed first', async () => {
    const { id, proof } = await visitor();
    assert.equal((await follow(id, proof)).status, 200);
    for (const [other, whose] of [
      [id, proofOf('another')],
      [id, ''],
      [id, 'short'],
      ['cnv_none', proof],
    ] as const) {
      assert.equal((await follow(other, whose)).status, 403, `${other} ${whose}`);
    }
    assert.equal((await follow(id, proof)).status, 200);
  });

  it('sends missed events of an ended conversation, then ends the stream', async () => {
    const { id, proof } = await visitor();
    const last = await reply(id, 'Good bye');
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
    const preflight = await fetch(`${host.url}/host/replies`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-headers': 'x-conversation-proof' },
    });
    assert.match(preflight.headers.get('access-control-allow-headers')!, /x-conversation-proof/i);
  });

  it('returns 503 while the service is rate limited, and recovers', async () => {
    const { id, proof } = await visitor();
    const { db } = tested.service;
    await db.update(conversations).set({ agentId: tested.service.demo.pausedAgentId }).where(eq(conversations.id, id));
    assert.equal((await follow(id, proof)).status, 403);
    await db.update(conversations).set({ agentId: tested.agentId }).where(eq(conversations.id, id));
    await api.close();
    assert.equal((await follow(id, proof)).status, 503);
    api = await tested.service.listen(Number(new URL(api.url).port));
    assert.equal((await follow(id, proof)).status, 200);
  });
});

describe('a webhook', () => {
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

  it('rejects a webhook without a valid signature', async () => {
    const response = await fetch(`${host.url}/host/webhooks`, { method: 'POST', body: '{"id":"evt_1"}' });
    assert.equal(response.status, 401);
  });

  it('subscribes the webhook once even if the backend starts again', async () => {
    await host.close();
    host = await start();
    const found = await tested.service.db.select().from(webhookEndpoints);
    assert.equal(found.length, 1);
    assert.deepEqual([found[0]!.agentId, found[0]!.url], [tested.agentId, `${host.url}/host/webhooks`]);
  });

  it('relays a webhook once that is delivered twice', async () => {
    const { id, proof } = await visitor();
    const page = await follow(id, proof);
    const { content } = await reply(id, 'Once');
    await tested.service.work();
    assert.equal((await page.next('message')).content, content);
    const { db } = tested.service;
    const { body: log } = await deliveries();
    for (const each of log.data) await team('POST', `${log.path}/${each.id}/replay`);
    await tested.service.work();
    await reply(id, 'Twice');
    await tested.service.work();
    assert.equal((await page.next('message')).content, 'Twice');
    assert.equal((await db.select().from(webhookEndpoints))[0]!.failuresInRow, 0);
  });

  const deliveries = async () => {
    const [endpoint] = await tested.service.db.select().from(webhookEndpoints);
    const path = `/webhooks/${endpoint!.id}/deliveries`;
    const { body } = await team('GET', path);
    return { body: { ...body, path } };
  };
});

it('issues an identity token only to a customer who is signed in', async () => {
  const { secret } = (await team('POST', `/agents/${tested.agentId}/identity-secret`)).body;
  await host.close();
  host = await start({ identitySecret: secret });
  const path = `${host.url}/host`;
  assert.equal((await fetch(`${path}/identity-token`)).status, 401);
  const entered = await fetch(`${path}/session`, { method: 'POST' });
  const setCookie = entered.headers.get('set-cookie')!;
  assert.match(setCookie, /HttpOnly.*SameSite=Strict/);
  const headers = { cookie: setCookie.split(';')[0]! };
  const contact = (await (await fetch(`${path}/identity-token`, { headers })).json()) as { token: string };
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
