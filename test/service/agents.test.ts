import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { and, eq } from 'drizzle-orm';
import { auditEntries } from '../../service/db/schema.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService({ allowLoopback: true });
const key = tested.secretKey;

describe('the agents API', () => {
  const change = (body: object, by = key) => tested.call('PATCH', `/agents/${tested.agentId}`, { key: by, body });

  it('removes default ports from its origins, and grants preflights from international ones', async () => {
    const international = new URL('https://متجر.example').origin;
    const { body } = await change({
      name: '  Palm ',
      allowed_origins: ['https://متجر.example', 'https://a.example:443'],
    });
    assert.deepEqual([body.name, body.allowed_origins], ['Palm', [international, 'https://a.example']]);
    const headers = { origin: international, 'access-control-request-method': 'POST' };
    const preflight = await tested.call('OPTIONS', tested.chatPath, { headers });
    assert.equal(preflight.headers.get('access-control-allow-origin'), international);
  });

  it('allows 20 changes of the origins in an hour and ignores unchanged lists', async () => {
    tested.clock.now += hour;
    for (let at = 0; at < 20; at++) {
      if (at % 10 === 0) tested.nextMinute();
      assert.equal((await change({ allowed_origins: [`https://a${at}.example`] })).status, 200);
      assert.equal((await change({ allowed_origins: [`https://a${at}.example`] })).status, 200);
    }
    const { status, error, headers } = await change({ allowed_origins: [] });
    assert.deepEqual([status, error.code], [429, 'rate_limited']);
    assert.ok(Number(headers.get('retry-after')) > 3000);
    assert.equal((await change({ name: 'Palm' })).status, 200);
    tested.clock.now += hour;
    assert.equal((await change({ allowed_origins: [] })).status, 200);
    const all = await tested.rows(
      auditEntries,
      and(eq(auditEntries.target, tested.agentId), eq(auditEntries.action, 'agent.origins_changed')),
    );
    assert.equal(all.length, 22);
  });
});
