import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { createHmac } from 'node:crypto';
import { members, webhookEndpoints } from '../../service/db/schema.ts';
import { useReceiver } from './receiver.ts';
import { origin, useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;
const receiver = useReceiver(() => tested.clock.now);
beforeEach(() => {
  tested.nextMinute();
  receiver.clear();
});

const team = async (method: string, path: string, body?: object, by = key) => {
  const response = await tested.service.fetch(
    new Request(`${origin}/team${path}`, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body === undefined && method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    }),
  );
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};

it('accepts only keys of the owner with every scope', async () => {
  const limited = await tested.makeKey({ scopes: ['tickets:read', 'tickets:write'] });
  for (const [by, status, code] of [
    [limited, 403, 'insufficient_scope'],
    [tested.service.demo.publishableKey, 403, 'secret_key_required'],
    ['svc_sk_none', 401, 'invalid_key'],
  ] as const) {
    const response = await team('GET', '/inbox', undefined, by);
    assert.deepEqual([response.status, response.body.error.code], [status, code]);
  }
});

it('lets a person take over from the inbox, reply, and hand back to the assistant', async () => {
  const { body } = await tested.chat('I want to talk to a human', { key });
  const conversation_id = body.conversation_id;
  const [ticket] = (await team('GET', '/inbox')).body.tickets;
  assert.deepEqual([ticket.conversation_id, ticket.state], [conversation_id, 'handoff_requested']);
  const { body: said } = await team('GET', `/conversations/${conversation_id}/messages`);
  assert.equal(said.data.length, 2);
  const replied = await team('POST', `/conversations/${conversation_id}/reply`, { text: 'Salma here!' });
  assert.deepEqual([replied.status, replied.body.actor_type, replied.body.lang], [201, 'owner', 'en']);
  const inArabic = await team('POST', `/conversations/${conversation_id}/reply`, { text: 'أهلًا، معك سلمى' });
  assert.equal(inArabic.body.lang, 'ar', 'a person writes in whichever language');
  assert.equal((await tested.chat('Hi Salma', { key, conversation_id })).body.message, null);
  const closed = await team('PATCH', `/tickets/${ticket.id}`, { status: 'closed' });
  assert.deepEqual([closed.body.status, closed.body.closed_by], ['closed', 'mem_salma']);
  assert.ok((await tested.chat('Where can I park?', { key, conversation_id })).body.message);
  const scored = await team('POST', `/tickets/${ticket.id}/csat`, { score: 1, comment: 'Quick' });
  assert.deepEqual([scored.body.csat_score, scored.body.csat_comment], [1, 'Quick']);
  assert.equal((await team('POST', `/tickets/${ticket.id}/csat`, { score: 5 })).status, 422);
  assert.equal((await team('POST', `/conversations/${conversation_id}/close`)).status, 204);
  assert.equal((await tested.chat('Hello?', { key, conversation_id })).error.code, 'conversation_expired');
  assert.equal((await team('POST', `/conversations/${conversation_id}/reply`, { text: 'Late' })).status, 410);
  assert.equal((await team('POST', '/conversations/cnv_none/reply', { text: 'x' })).status, 404);
});

it('does not find an id with a NUL character', async () => {
  for (const [method, path] of [
    ['GET', '/webhooks/%00/deliveries'],
    ['PATCH', '/agents/agt_palm_and_clay%00'],
    ['POST', '/agents/%00/conversations'],
    ['DELETE', '/keys/%00'],
  ] as const) {
    assert.equal((await team(method, path)).status, 404, path);
  }
});

it('creates and revokes keys', async () => {
  const made = await team('POST', '/keys', { label: 'New', kind: 'secret', scopes: ['leads:read'] });
  assert.match(made.body.key, /^svc_sk_[\w-]{32}$/);
  assert.equal((await tested.call('GET', '/leads', { key: made.body.key })).status, 200);
  assert.equal((await team('DELETE', `/keys/${made.body.id}`)).status, 204);
  assert.equal((await tested.call('GET', '/leads', { key: made.body.key })).error.code, 'invalid_key');
  assert.equal((await team('DELETE', '/keys/key_none')).status, 404);
});

it('rejects a key that expires at a time that cannot be stored', async () => {
  const body = { label: 'New', kind: 'secret', scopes: [], expires_at: '0000-01-01T00:00:00Z' };
  assert.equal((await team('POST', '/keys', body)).status, 422);
});

it('pauses and resumes an agent, and issues an identity secret that verifies visitors', async () => {
  const path = `/agents/${tested.agentId}`;
  await team('PATCH', path, { status: 'paused' });
  assert.equal((await tested.chat('Hello')).error.code, 'agent_unavailable');
  await team('PATCH', path, { status: 'live' });
  const { secret } = (await team('POST', `${path}/identity-secret`)).body;
  const user_hash = createHmac('sha256', secret).update('u1').digest('hex');
  assert.equal((await tested.chat('Hello', { contact: { user_id: 'u1', user_hash } })).status, 200);
  await team('POST', `${path}/identity-secret`, { end_previous: true });
  assert.equal((await tested.chat('Hello', { contact: { user_id: 'u1', user_hash } })).error.code, 'identity_rejected');
});

describe('the team API, for webhook endpoints', () => {
  const subscribe = async (by = key) => {
    const body = { url: receiver.url, events: ['lead.created'] };
    const made = (await tested.call('POST', '/webhooks', { key: by, body })).body;
    receiver.secret = made.secret;
    return made;
  };

  it('tests, disables and enables a webhook endpoint, and replays its deliveries', async () => {
    const { id } = await subscribe();
    await team('POST', `/webhooks/${id}/test`);
    await tested.service.work();
    assert.deepEqual(
      [receiver.received[0]!.event.type, receiver.received[0]!.event.data],
      ['webhook.test', { message: 'test' }],
    );
    const [delivery] = (await team('GET', `/webhooks/${id}/deliveries`)).body.data;
    assert.deepEqual([delivery.type, delivery.status], ['webhook.test', 'succeeded']);
    assert.equal((await team('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`)).status, 202);
    assert.equal((await team('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`)).status, 409);
    await tested.service.work();
    assert.equal(receiver.received[1]!.repeated, true);
    const off = await team('PATCH', `/webhooks/${id}`, { enabled: false });
    assert.deepEqual([off.body.enabled, off.body.disabled_reason], [false, 'owner']);
    assert.equal((await team('PATCH', `/webhooks/${id}`, { enabled: true })).body.disabled_reason, null);
    await tested.service.db.delete(webhookEndpoints);
  });

  it('disables the endpoints and revokes the keys of a member who leaves', async () => {
    const { db } = tested.service;
    await db.update(members).set({ role: 'admin' }).where(eq(members.id, 'mem_yusuf'));
    const theirs = await tested.makeKey({ scopes: ['webhooks:write', 'leads:read'], makerId: 'mem_yusuf' });
    const { id } = await subscribe(theirs);
    assert.equal((await team('DELETE', '/members/mem_yusuf')).status, 204);
    assert.equal((await team('DELETE', '/members/mem_salma')).status, 409);
    assert.equal((await tested.call('GET', '/webhooks', { key: theirs })).error.code, 'invalid_key');
    const [endpoint] = (await tested.call('GET', '/webhooks', { key })).body.data;
    assert.deepEqual([endpoint.id, endpoint.enabled, endpoint.disabled_reason], [id, false, 'maker_left']);
  });
});
