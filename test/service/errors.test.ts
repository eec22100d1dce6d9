import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { describe, it } from 'node:test';
import { errors, errorVariants } from '../../service/core/errors.ts';
import { createTestService, useTestService } from './support.ts';

const tested = useTestService();

describe('the service, for an error', () => {
  it('returns an error with a code, a message and the request id of the log', async () => {
    const { status, headers, body } = await tested.call('GET', '/me');
    assert.equal(status, 401);
    assert.deepEqual(Object.keys(body), ['error']);
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'request_id']);
    assert.equal(body.error.message, errors.missing_key.en);
    assert.equal(headers.get('x-request-id'), body.error.request_id);
    assert.ok(tested.log.some((entry) => entry.request_id === body.error.request_id));
  });

  it('returns Arabic messages for Accept-Language: ar', async () => {
    for (const language of ['ar', 'ar-OM', 'ar;q=0.9']) {
      const { error } = await tested.call('GET', '/me', { headers: { 'accept-language': language } });
      assert.equal(error.message, errors.missing_key.ar);
    }
    const { error } = await tested.call('GET', '/me', { headers: { 'accept-language': 'fr' } });
    assert.equal(error.message, errors.missing_key.en);
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

  it('returns 400 for malformed JSON', async () => {
    for (const body of ['{"messages": [', '']) {
      const { status, error } = await send(body);
      assert.deepEqual([status, error.code], [400, 'malformed_json']);
    }
  });

  it('returns 422 for a body that is no object', async () => {
    for (const body of ['null', '[]', '"hello"']) assert.equal((await send(body)).status, 422, body);
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

  it('counts the bytes of a body instead of trusting Content-Length', async () => {
    const { url } = await tested.service.listen(0);
    const key = await tested.makeKey();
    const status = await new Promise<number>((resolve, reject) => {
      const sending = httpRequest(`${url}/api/v2${tested.chatPath}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
      });
      sending.on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sending.on('error', reject);
      for (let at = 0; at < 20; at++) sending.write(' '.repeat(64 * 1024));
      sending.end();
    });
    assert.equal(status, 413);
  });
});

describe('the service, for an unknown URL', () => {
  it('returns 404 for an unknown URL with a secret key, and 401 without a key', async () => {
    const key = await tested.makeKey();
    const known = await tested.call('GET', '/nothing', { key });
    assert.equal(known.status, 404);
    assert.equal(known.error.code, 'not_found');
    assert.equal((await tested.call('GET', '/nothing')).status, 401);
  });

  it('returns 404 for a URL outside the API', async () => {
    const response = await tested.service.fetch(new Request('http://service.test/other'));
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('x-service-api-version'), '2026-10-01');
  });

  it('returns 405 with the allowed methods for an unsupported method', async () => {
    const { status, error, headers } = await tested.call('DELETE', tested.chatPath, { key: await tested.makeKey() });
    assert.equal(status, 405);
    assert.equal(error.code, 'method_not_allowed');
    assert.equal(headers.get('allow'), 'POST');
  });
});

describe('the service', () => {
  it('sends the version of the contract in every response', async () => {
    const key = await tested.makeKey();
    const responses = [
      await tested.call('GET', '/openapi.json'),
      await tested.call('GET', '/me'),
      await tested.call('GET', '/nothing', { key }),
      await tested.call('DELETE', tested.chatPath, { key }),
      await tested.call('POST', tested.chatPath, { key, body: {} }),
      await tested.chat('Hi', { key }),
      await tested.call('OPTIONS', tested.chatPath, {
        headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
      }),
    ];
    for (const { headers, status } of responses) {
      assert.equal(headers.get('x-service-api-version'), '2026-10-01', String(status));
    }
  });
});

describe('the service, after an unexpected error', () => {
  it('returns 500 without the cause of the error', async () => {
    const broken = await createTestService();
    await broken.service.db.execute('drop table messages cascade');
    const { status, body } = await broken.chat('Hi');
    assert.equal(status, 500);
    assert.equal(body satisfies object, body);
    assert.deepEqual((body as any).error.message, errors.internal_error.en);
    assert.doesNotMatch(JSON.stringify(body), /messages|select|relation/);
    assert.ok(broken.log.some((entry) => entry.event === 'failure' && String(entry['error']).includes('messages')));
    await broken.service.close();
  });
});
