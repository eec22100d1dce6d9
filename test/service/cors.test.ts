import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { auditEntries } from '../../service/db/schema.ts';
import { useTestService, hour } from './support.ts';

const tested = useTestService();

const preflight = (origin: string, path = tested.chatPath) =>
  tested.call('OPTIONS', path, { headers: { origin, 'access-control-request-method': 'POST' } });

describe('a preflight request', () => {
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

describe('the websites of an agent', () => {
  const change = (body: object) => tested.api('PATCH', `/agents/${tested.agentId}`, body);

  it('lose their default ports, and international ones are granted preflights', async () => {
    const international = new URL('https://متجر.example').origin;
    const sent = ['https://متجر.example', 'https://a.example:443'];
    const { body } = await change({ name: '  Palm ', allowed_origins: sent });
    assert.deepEqual([body.name, body.allowed_origins], ['Palm', [international, 'https://a.example']]);
    assert.equal((await preflight(international)).headers.get('access-control-allow-origin'), international);
  });

  it('can change 20 times in an hour, where neither unchanged lists nor other changes of the agent count', async () => {
    tested.clock.now += hour;
    for (let at = 0; at < 20; at++) {
      if (at % 10 === 0) tested.nextMinute();
      for (let again = 0; again < 2; again++)
        assert.equal((await change({ allowed_origins: [`https://a${at}.example`] })).status, 200);
    }
    assert.equal((await change({ allowed_origins: [] })).status, 429);
    assert.equal((await change({ name: 'Palm' })).status, 200);
    const isChange = eq(auditEntries.action, 'agent.origins_changed');
    assert.equal((await tested.rows(auditEntries, isChange)).length, 21);
  });
});
