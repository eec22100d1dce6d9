import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiKeys } from '../../service/db/schema.ts';
import { sha256 } from '../../service/core/ids.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

const question = { messages: [{ role: 'user', content: 'What are your opening hours?' }] };

it('the service stores only the hash of an API key', async () => {
  const { publishableKey, secretKey } = tested.service.demo;
  assert.match(publishableKey, /^svc_pk_[\w-]{32}$/);
  assert.match(secretKey, /^svc_sk_[\w-]{32}$/);
  const kept = await tested.rows(apiKeys);
  assert.equal(JSON.stringify(kept).includes(secretKey.slice(7)), false);
  assert.ok(kept.some(({ keyHash }) => keyHash === sha256(secretKey)));
});

it('the service returns 403 secret_key_required to a publishable key for an unknown path, and for another method of the chat', async () => {
  for (const path of ['/nothing/like/this', '/agents/agt_palm_and_clay/chat']) {
    const { status, error } = await tested.call('GET', path, { key: tested.service.demo.publishableKey });
    assert.deepEqual([status, error.code], [403, 'secret_key_required'], path);
  }
});

describe('the service, in the order of its checks', () => {
  const badBody = '{"messages":';

  it('checks the key before everything else', async () => {
    const { error } = await tested.call('POST', '/agents/agt_nobody/chat', { body: badBody });
    assert.equal(error.code, 'missing_key');
  });

  it('checks the scope before the rate limits and the body', async () => {
    const key = await tested.makeKey({ scopes: [] });
    const { error, headers } = await tested.call('POST', tested.chatPath, { key, body: badBody });
    assert.equal(error.code, 'insufficient_scope');
    assert.equal(headers.get('x-ratelimit-limit'), null);
  });

  it('checks the body before the agent, and the agent before the conversation', async () => {
    const key = await tested.makeKey();
    const malformed = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: badBody });
    assert.equal(malformed.error.code, 'malformed_json');
    const invalid = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: { messages: [] } });
    assert.equal(invalid.error.code, 'validation_error');
    const unknown = await tested.call('POST', '/agents/agt_nobody/chat', { key, body: question });
    assert.equal(unknown.error.code, 'not_found');
    const paused = await tested.call('POST', `/agents/${tested.service.demo.pausedAgentId}/chat`, {
      key,
      body: { ...question, conversation_id: 'cnv_never' },
    });
    assert.equal(paused.error.code, 'agent_unavailable');
  });
});
