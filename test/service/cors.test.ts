import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();

describe('a preflight request', () => {
  const preflight = (origin: string, path = tested.chatPath) =>
    tested.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } });

  for (const origin of [
    'https://palmandclay.example',
    'http://localhost:5173',
    'http://127.0.0.1:8080',
    'http://[::1]:3000',
    'http://shop.localhost',
    'null',
    'capacitor://localhost',
    'ionic://localhost',
    'file://',
  ]) {
    it(`grants a preflight request from ${origin}`, async () => {
      const { status, headers } = await preflight(origin);
      assert.equal(status, 204);
      assert.equal(headers.get('x-service-api-version'), '2026-10-01');
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-allow-methods')!, /POST/);
      assert.match(headers.get('access-control-allow-headers')!, /Authorization, Content-Type/);
      assert.match(headers.get('access-control-allow-headers')!, /Idempotency-Key/);
      assert.equal(headers.get('vary'), 'Origin');
    });
  }

  for (const origin of [
    'https://other.example',
    'http://palmandclay.example',
    'https://palmandclay.example.evil.test',
    'https://localhost.evil.test',
    'http://127.0.0.1.evil.test',
  ]) {
    it(`does not grant a preflight request from ${origin}`, async () => {
      const { status, headers } = await preflight(origin);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal(headers.get('vary'), 'Origin');
    });
  }

  it('does not grant a preflight request for an agent that does not exist', async () => {
    const { headers } = await preflight('https://palmandclay.example', '/agents/agt_nobody/chat');
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});

describe('a cross-origin response', () => {
  const origin = 'https://palmandclay.example';
  const exposes = /Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Service-Api-Version, Idempotent-Replayed/;

  it('lets the agent’s website read responses and errors', async () => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const responses = [
      await tested.call('POST', tested.chatPath, { headers: { origin }, body: {} }),
      await tested.chat('', { key, headers: { origin } }),
      await tested.call('GET', tested.chatPath, { key, headers: { origin } }),
    ];
    for (let call = 0; call < 20; call++) responses.push(await tested.chat('Hi', { key, headers: { origin } }));
    assert.deepEqual([responses.at(3)!.status, responses.at(-1)!.status], [200, 429]);
    for (const { headers } of responses) {
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-expose-headers')!, exposes);
    }
  });

  it('lets the agent’s website read a stream', async () => {
    const response = await tested.service.fetch(
      tested.request('POST', tested.chatPath, {
        key: await tested.makeKey(),
        headers: { origin },
        body: { messages: [{ role: 'user', content: 'Hi' }], stream: true },
      }),
    );
    assert.equal(response.headers.get('access-control-allow-origin'), origin);
    await response.text();
  });

  it('sends no CORS headers to a request without an origin', async () => {
    const { status, headers } = await tested.chat('Hi');
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});
