import assert from 'node:assert/strict';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { after, describe, it } from 'node:test';
import { sql } from 'drizzle-orm';
import type { Listening } from '../../service/service.ts';
import { startBefore, useTestService } from './support.ts';

const tested = useTestService();
let listening: Listening;
startBefore(async () => {
  listening = await tested.service.listen(0);
});
after(() => listening.close());

/** Sends a POST over a connection that the client wants to reuse. */
const post = (path: string, body: string, headers: OutgoingHttpHeaders) => {
  return new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    const sent = request(`${listening.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'keep-alive', ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }));
    });
    sent.end(body);
  });
};

const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] });
const result = JSON.stringify({ conversation_id: 'cnv_none', call_id: 'call_none', ok: true, result: {} });
const authorized = { authorization: `Bearer ${tested.secretKey}` };

describe('the connection of a chat call', () => {
  for (const [what, path, body, headers, status] of [
    ['a call without a key', '', chat, {}, 401],
    ['a call with malformed JSON', '', '{', authorized, 400],
    ['a call with an invalid body', '', '{}', authorized, 422],
    ['a call with a body that is too large', '', `{"a":"${'x'.repeat(1024 * 1024)}"}`, authorized, 413],
    ['a compressed call', '', chat, { ...authorized, 'content-encoding': 'gzip' }, 415],
    ['a call with an expectation', '', chat, { ...authorized, expect: 'something' }, 417],
    ['a result of an unknown conversation', '/tool-results', result, authorized, 404],
    ['a result without a key', '/tool-results', result, {}, 401],
  ] as const) {
    it(`is closed after ${what}`, async () => {
      const response = await post(`/agents/${tested.agentId}/chat${path}`, body, headers);
      assert.deepEqual(response, { status, connection: 'close' });
    });
  }

  it('is closed after a call to an unknown agent', async () => {
    const response = await post('/agents/agt_none/chat', chat, authorized);
    assert.deepEqual(response, { status: 404, connection: 'close' });
  });

  it('is closed after an internal error', async () => {
    const { db } = tested.service;
    await db.execute(sql`alter table conversations rename to renamed_conversations`);
    try {
      const response = await post(`/agents/${tested.agentId}/chat`, chat, authorized);
      assert.deepEqual(response, { status: 500, connection: 'close' });
    } finally {
      await db.execute(sql`alter table renamed_conversations rename to conversations`);
    }
  });

  it('stays open after a call that was accepted, and after another refused call', async () => {
    const accepted = await post(`/agents/${tested.agentId}/chat`, chat, authorized);
    assert.deepEqual(accepted, { status: 200, connection: 'keep-alive' });
    const refused = await post('/contacts', '{}', authorized);
    assert.deepEqual(refused, { status: 422, connection: 'keep-alive' });
  });
});
