import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errors, errorVariants } from '../../service/core/errors.ts';
import { origin, useTestService } from './support.ts';

const tested = useTestService();

describe('the service, for an error', () => {
  it('returns an error with a code, a message and the request id of the log', async () => {
    const { headers, body } = await tested.call('GET', '/me');
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'request_id']);
    assert.equal(body.error.message, errors.missing_key.en);
    assert.equal(headers.get('x-request-id'), body.error.request_id);
    assert.ok(tested.log.some((entry) => entry.request_id === body.error.request_id));
  });

  it('describes invalid fields in the requested language', async () => {
    const key = await tested.makeKey();
    const init = { key, body: { messages: 'hello' } };
    const english = await tested.call('POST', tested.chatPath, init);
    const arabic = await tested.call('POST', tested.chatPath, { ...init, headers: { 'accept-language': 'ar' } });
    for (const { error } of [english, arabic]) {
      assert.ok(Array.isArray(error.details));
      assert.equal(error.details[0]!.field, 'messages');
    }
    assert.match(JSON.stringify(arabic.error.details), /[\u0600-\u06FF]/);
    assert.doesNotMatch(JSON.stringify(english.error.details), /[\u0600-\u06FF]/);
  });

  it('has a message in both languages for every code', () => {
    for (const [code, { en, ar }] of Object.entries({ ...errors, ...errorVariants })) {
      assert.match(en, /^[A-Z].*\.$/, code);
      assert.match(ar, /[\u0600-\u06FF].*\.$/, code);
    }
  });
});

describe('the service, for a request body', () => {
  const send = async (body: string, headers: Record<string, string> = {}) =>
    tested.call('POST', tested.chatPath, { key: await tested.makeKey(), body, headers });

  it('returns 400 for an empty body', async () => {
    const { status, error } = await send('');
    assert.deepEqual([status, error.code], [400, 'malformed_json']);
  });

  it('returns 422 for a body that is no object', async () => {
    for (const body of ['null', '[]', '"hello"']) assert.equal((await send(body)).status, 422, body);
  });

  it('returns 400 for a body that is not UTF-8', async () => {
    const text = JSON.stringify({ messages: [{ role: 'user', content: 'Café' }] });
    const request = new Request(`${origin}/api/v2${tested.chatPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tested.makeKey()}`, 'content-type': 'application/json' },
      body: Buffer.from(text, 'latin1'),
    });
    const response = await tested.service.fetch(request);
    assert.deepEqual([response.status, (await response.json()).error.code], [400, 'malformed_json']);
  });

  it('describes at most 100 invalid fields, with short texts', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'x'.repeat(100)}${at}`, []]));
    const key = await tested.makeKey({ scopes: ['contacts:write'] });
    for (const body of [{ attributes }, { attributes: { ['x'.repeat(500_000)]: [] } }]) {
      const { status, error } = await tested.call('POST', '/contacts', { key, body });
      assert.equal(status, 422);
      assert.ok(error.details!.length <= 100);
      assert.ok(JSON.stringify(error).length < 100_000);
    }
  });

  it('returns 415 for another content type or encoding', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'identity, br' },
    ] as Record<string, string>[]) {
      const { status, error } = await send(body, headers);
      assert.deepEqual([status, error.code], [415, 'unsupported_media_type']);
    }
    assert.equal((await send(body, { 'content-encoding': 'identity' })).status, 200);
    assert.equal((await send(body, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  });
});

describe('the service, for an unknown URL', () => {
  it('returns 401 for an unknown URL without a key', async () => {
    assert.equal((await tested.call('GET', '/nothing')).status, 401);
  });

  it('returns 404 for a NUL character in the path, and 422 in the query', async () => {
    const key = await tested.makeKey({ scopes: ['contacts:read'] });
    assert.equal((await tested.call('GET', '/contacts/%00', { key })).status, 404);
    const { status, error } = await tested.call('GET', '/contacts?limit=5&email=%00', { key });
    assert.equal(status, 422);
    assert.deepEqual(error.details, [
      { field: 'email', code: 'invalid_character', message: 'A NUL character is not allowed.' },
    ]);
  });

  it('returns 404 for a URL outside the API', async () => {
    const response = await tested.service.fetch(new Request('http://service.test/other'));
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('x-service-api-version'), '2026-10-01');
  });

  it('returns the allowed methods for an unsupported method', async () => {
    const { headers } = await tested.call('DELETE', tested.chatPath, { key: await tested.makeKey() });
    assert.equal(headers.get('allow'), 'POST');
  });
});
