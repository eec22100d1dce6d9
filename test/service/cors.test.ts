import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestService, type TestService } from './support.ts';

let tested: TestService;
before(async () => {
  tested = await createTestService();
});
after(() => tested.service.close());

describe('a preflight', () => {
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
    it(`is granted to ${origin}`, async () => {
      const { status, headers } = await preflight(origin);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-allow-methods')!, /POST/);
      assert.match(headers.get('access-control-allow-headers')!, /Authorization, Content-Type/);
      assert.match(headers.get('access-control-allow-headers')!, /Idempotency-Key/);
      assert.equal(headers.get('vary'), 'Origin');
    });
  }

  for (const origin of [
    'https://elsewhere.example',
    'http://palmandclay.example',
    'https://palmandclay.example.evil.test',
    'https://localhost.evil.test',
    'http://127.0.0.1.evil.test',
  ]) {
    it(`is not granted to ${origin}`, async () => {
      const { status, headers } = await preflight(origin);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.equal(headers.get('vary'), 'Origin');
    });
  }

  it('knows no site for an agent that does not exist', async () => {
    const { headers } = await preflight('https://palmandclay.example', '/agents/agt_nobody/chat');
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});

describe('an answer', () => {
  const origin = 'https://palmandclay.example';
  const exposes = /Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Service-Api-Version, Idempotent-Replayed/;

  it('can be read by the agent’s site', async () => {
    const { headers } = await tested.chat('Hi', { headers: { origin } });
    assert.equal(headers.get('access-control-allow-origin'), origin);
    assert.match(headers.get('access-control-expose-headers')!, exposes);
  });

  it('can be read when it is an error: refused, limited, oversized, unknown', async () => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const answers = [
      await tested.call('POST', tested.chatPath, { headers: { origin }, body: {} }),
      await tested.chat('', { key, headers: { origin } }),
      await tested.call('GET', tested.chatPath, { key, headers: { origin } }),
    ];
    for (let call = 0; call < 20; call++) answers.push(await tested.chat('Hi', { key, headers: { origin } }));
    assert.equal(answers.at(-1)!.status, 429);
    for (const { headers } of answers) {
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-expose-headers')!, exposes);
    }
  });

  it('of a stream can be read too', async () => {
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

  it('says nothing of origins where none was sent', async () => {
    const { status, headers } = await tested.chat('Hi');
    assert.equal(status, 200);
    assert.equal(headers.get('access-control-allow-origin'), null);
  });
});
