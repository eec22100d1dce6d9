import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiKeys } from '../../service/db/schema.ts';
import { sha256 } from '../../service/core/ids.ts';
import { createTestService, type TestService } from './support.ts';

let tested: TestService;
before(async () => {
  tested = await createTestService();
});
after(() => tested.service.close());

const question = { messages: [{ role: 'user', content: 'What are your opening hours?' }] };

describe('a key', () => {
  for (const [what, authorization, code] of [
    ['that is absent', undefined, 'missing_key'],
    ['sent as Basic', 'Basic c3ZjOng=', 'missing_key'],
    ['that is empty', 'Bearer ', 'missing_key'],
    ['nobody knows', 'Bearer svc_sk_nobodyknowsthisonexxxxxxxxxxxxx', 'invalid_key'],
    ['of the website kind', 'Bearer pk_palm_and_clay_demo', 'invalid_key'],
  ] as const) {
    it(`${what} answers 401 ${code}`, async () => {
      const { status, error } = await tested.call('POST', tested.chatPath, {
        body: question,
        ...(authorization === undefined ? {} : { headers: { authorization } }),
      });
      assert.equal(status, 401);
      assert.equal(error.code, code);
    });
  }

  it('that was revoked answers 401 invalid_key', async () => {
    const key = await tested.makeKey({ revokedAt: new Date(tested.clock.now - 1) });
    assert.equal((await tested.chat('Hi', { key })).error.code, 'invalid_key');
  });

  it('works up to the moment it expires, then answers 401 expired_key', async () => {
    const key = await tested.makeKey({ expiresAt: new Date(tested.clock.now + 1000) });
    assert.equal((await tested.chat('Hi', { key })).status, 200);
    tested.clock.now += 1000;
    const { status, error } = await tested.chat('Hi', { key });
    assert.equal(status, 401);
    assert.equal(error.code, 'expired_key');
  });

  it('without the scope answers 403 and names it', async () => {
    const key = await tested.makeKey({ scopes: ['agents:read'] });
    const { status, error } = await tested.chat('Hi', { key });
    assert.equal(status, 403);
    assert.equal(error.code, 'insufficient_scope');
    assert.equal(error.required_scope, 'chat');
  });

  it('of the publishable kind without the chat scope answers 403 insufficient_scope', async () => {
    const key = await tested.makeKey({ kind: 'publishable', scopes: [] });
    assert.equal((await tested.chat('Hi', { key })).error.code, 'insufficient_scope');
  });

  it('limited to other agents does not find this one', async () => {
    const key = await tested.makeKey({ agentIds: [tested.service.demo.pausedAgentId] });
    const { status, error } = await tested.chat('Hi', { key });
    assert.equal(status, 404);
    assert.equal(error.code, 'not_found');
    const allowed = await tested.makeKey({ agentIds: [tested.agentId] });
    assert.equal((await tested.chat('Hi', { key: allowed })).status, 200);
  });

  it('is kept as a hash only', async () => {
    const { publishableKey, secretKey } = tested.service.demo;
    assert.match(publishableKey, /^svc_pk_[\w-]{32}$/);
    assert.match(secretKey, /^svc_sk_[\w-]{32}$/);
    const kept = await tested.service.db.select().from(apiKeys);
    assert.equal(JSON.stringify(kept).includes(secretKey.slice(7)), false);
    assert.ok(kept.some(({ keyHash }) => keyHash === sha256(secretKey)));
  });

  it('never reaches the log, nor does what a visitor says', async () => {
    const key = await tested.makeKey();
    await tested.chat('My secret is tangerine', { key });
    const log = JSON.stringify(tested.log);
    assert.equal(log.includes(key), false);
    assert.equal(log.includes('tangerine'), false);
    assert.match(log, /"request_id":"req_/);
  });
});

describe('a publishable key', () => {
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', '/agents'],
    ['GET', '/contacts'],
    ['POST', '/webhooks'],
    ['DELETE', '/leads/led_1'],
    ['GET', '/nothing/like/this'],
    ['GET', '/agents/agt_palm_and_clay/chat'],
  ] as const) {
    it(`answers 403 secret_key_required on ${method} ${path}`, async () => {
      const { status, error } = await tested.call(method, path, { key: tested.service.demo.publishableKey });
      assert.equal(status, 403);
      assert.equal(error.code, 'secret_key_required');
      tested.nextMinute();
    });
  }
});

describe('the order of the checks', () => {
  const badBody = '{"messages":';

  it('the key comes before everything', async () => {
    const { error } = await tested.call('POST', '/agents/agt_nobody/chat', { body: badBody });
    assert.equal(error.code, 'missing_key');
  });

  it('the scope comes before the limits and the body', async () => {
    const key = await tested.makeKey({ scopes: [] });
    const { error, headers } = await tested.call('POST', tested.chatPath, { key, body: badBody });
    assert.equal(error.code, 'insufficient_scope');
    assert.equal(headers.get('x-ratelimit-limit'), null);
  });

  it('the body comes before the agent, the agent before the conversation', async () => {
    const key = await tested.makeKey();
    const unknown = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: badBody });
    assert.equal(unknown.error.code, 'validation_error');
    const paused = await tested.call('POST', `/agents/${tested.service.demo.pausedAgentId}/chat`, {
      key,
      body: { ...question, conversation_id: 'cnv_never' },
    });
    assert.equal(paused.error.code, 'agent_unavailable');
  });
});
