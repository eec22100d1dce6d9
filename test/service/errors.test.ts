import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { errors, errorVariants } from '../../service/core/errors.ts';
import { createTestService, type TestService } from './support.ts';

let tested: TestService;
before(async () => {
  tested = await createTestService();
});
after(() => tested.service.close());

describe('an error', () => {
  it('is an envelope with code, sentence and the id in the log', async () => {
    const { status, headers, body } = await tested.call('GET', '/me');
    assert.equal(status, 401);
    assert.deepEqual(Object.keys(body), ['error']);
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'request_id']);
    assert.equal(body.error.message, errors.missing_key.en);
    assert.equal(headers.get('x-request-id'), body.error.request_id);
    assert.ok(tested.log.some((entry) => entry.request_id === body.error.request_id));
  });

  it('speaks Arabic to those who ask for it', async () => {
    for (const language of ['ar', 'ar-OM', 'ar;q=0.9']) {
      const { error } = await tested.call('GET', '/me', { headers: { 'accept-language': language } });
      assert.equal(error.message, errors.missing_key.ar);
    }
    const { error } = await tested.call('GET', '/me', { headers: { 'accept-language': 'fr' } });
    assert.equal(error.message, errors.missing_key.en);
  });

  it('names each field in the language asked for', async () => {
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

  it('exists in both languages for every code', () => {
    for (const [code, { en, ar }] of Object.entries({ ...errors, ...errorVariants })) {
      assert.match(en, /^[A-Z].*\.$/, code);
      assert.match(ar, /[\u0600-\u06FF].*\.$/, code);
    }
  });
});

describe('a body', () => {
  const send = async (body: string, headers: Record<string, string> = {}) =>
    tested.call('POST', tested.chatPath, { key: await tested.makeKey(), body, headers });

  it('that is malformed JSON answers 422', async () => {
    const { status, error } = await send('{"messages": [');
    assert.equal(status, 422);
    assert.deepEqual((error.details as { code: string }[])[0]!.code, 'malformed_json');
  });

  it('that is empty, null or a list answers 422', async () => {
    for (const body of ['', 'null', '[]', '"hello"']) assert.equal((await send(body)).status, 422, body);
  });

  it('of another type answers 422', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
    assert.equal((await send(body, { 'content-type': 'text/plain' })).status, 422);
    assert.equal((await send(body, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  });

  it('of just a megabyte is read, of a byte more answers 413', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
    assert.equal((await send(body.padEnd(1024 * 1024, ' '))).status, 200);
    const { status, error } = await send(body.padEnd(1024 * 1024 + 1, ' '));
    assert.equal(status, 413);
    assert.equal(error.code, 'body_too_large');
  });

  it('is counted as it comes, whatever its length is said to be', async () => {
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

describe('an address', () => {
  it('that does not exist answers 404 to a secret key, 401 without one', async () => {
    const key = await tested.makeKey();
    const known = await tested.call('GET', '/nothing', { key });
    assert.equal(known.status, 404);
    assert.equal(known.error.code, 'not_found');
    assert.equal((await tested.call('GET', '/nothing')).status, 401);
  });

  it('outside the API answers 404', async () => {
    const response = await tested.service.fetch(new Request('http://service.test/elsewhere'));
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('x-service-api-version'), '2026-10-01');
  });

  it('with another method answers 405 and says which it takes', async () => {
    const { status, error, headers } = await tested.call('DELETE', tested.chatPath, { key: await tested.makeKey() });
    assert.equal(status, 405);
    assert.equal(error.code, 'method_not_allowed');
    assert.equal(headers.get('allow'), 'POST');
  });
});

describe('every answer', () => {
  it('carries the date of the contract', async () => {
    const key = await tested.makeKey();
    const answers = [
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
    for (const { headers, status } of answers) {
      assert.equal(headers.get('x-service-api-version'), '2026-10-01', String(status));
    }
  });
});

describe('a failure nobody foresaw', () => {
  it('is 500 without a word of its cause', async () => {
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
