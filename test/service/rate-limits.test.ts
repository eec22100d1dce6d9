import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { readConfiguration } from '../../service/configuration.ts';
import { addressRanges } from '../../service/http/caller-address.ts';
import { createSharedRateLimits, type RateLimits } from '../../service/http/rate-limits.ts';
import { rateCounts } from '../../service/db/schema.ts';
import { useTestService } from './support.ts';

const tested = useTestService();

describe('the service, by the rate limits of a key', () => {
  it('counts the minute of chat calls from the first one', async () => {
    const key = await tested.makeKey();
    for (let call = 0; call < 20; call++) {
      assert.equal((await tested.chat('Hi', { key })).headers.get('x-ratelimit-limit'), '20');
      tested.clock.now += 1000;
    }
    const { headers } = await tested.chat('Hi', { key });
    assert.deepEqual([headers.get('retry-after'), headers.get('x-ratelimit-remaining')], ['40', '0']);
    tested.clock.now += 40_000;
    assert.equal((await tested.chat('Hi', { key })).status, 200);
  });

  it('allows 60 calls of all kinds', async () => {
    const key = await tested.makeKey({ scopes: ['chat', 'agents:read'] });
    for (let call = 0; call < 15; call++) await tested.chat('Hi', { key });
    for (let call = 0; call < 45; call++) {
      assert.equal((await tested.call('GET', '/agents', { key })).status, 200);
    }
    assert.equal((await tested.call('GET', '/agents', { key })).status, 429, 'chat calls are among the 60');
    assert.equal((await tested.chat('Hi', { key })).status, 429);
  });

  it('does not count tool results as chat calls', async () => {
    const key = await tested.makeKey();
    const body = { conversation_id: 'cnv_never', call_id: 'call_never', ok: true };
    for (let call = 0; call < 30; call++) {
      const { status, headers } = await tested.call('POST', `${tested.chatPath}/tool-results`, { key, body });
      assert.equal(status, 404);
      assert.equal(headers.get('x-ratelimit-limit'), '60');
    }
    assert.equal((await tested.chat('Hi', { key })).status, 200);
  });
});

describe('the rate limits that processes share', () => {
  const limit = 60;
  const allowed = async (...processes: RateLimits[]) => {
    const taken = await Promise.all(processes.map((each) => each.take([{ bucket: 'shared', limit }])));
    return taken.flat().filter((each) => each.allowed).length;
  };
  beforeEach(() => tested.service.db.delete(rateCounts));

  it('allow no more calls when the clocks differ by seconds', async () => {
    const [one, behind] = [0, -5000].map((difference) =>
      createSharedRateLimits(tested.service.db, () => tested.clock.now + difference),
    ) as [RateLimits, RateLimits];
    let count = 0;
    for (const each of [one, behind, one]) for (let call = 0; call < limit; call++) count += await allowed(each);
    assert.equal(count, limit);
  });

  it('allow no more calls when they arrive at the same time, and are counted in another order', async () => {
    let at = tested.clock.now;
    const limits = createSharedRateLimits(tested.service.db, () => at--);
    assert.equal(await allowed(...Array.from({ length: limit + 10 }, () => limits)), limit);
  });
});

describe('the service, behind a trusted proxy', () => {
  const behind = useTestService({ trustProxy: ['10.0.0.0/8', '::1'] });
  const statuses = async (address: string, forwarded: (call: number) => string) => {
    const key = await behind.makeKey({ kind: 'publishable' });
    const found: number[] = [];
    for (let call = 0; call < 21; call++) {
      const headers = { 'x-forwarded-for': forwarded(call) };
      found.push((await behind.chat('Hi', { key, address, headers })).status);
    }
    return found;
  };

  it('counts the calls of each visitor separately', async () => {
    assert.equal((await statuses('10.0.0.1', (call) => `198.51.100.${call}`)).at(-1), 200);
    assert.equal((await statuses('::ffff:10.0.0.1', (call) => `198.51.100.${call}, 10.1.1.1`)).at(-1), 200);
    assert.equal((await statuses('::1', (call) => `[2001:db8:0:${call}::1]:4711`)).at(-1), 200);
  });

  it('counts the addresses of one IPv6 network together, of which a visitor has as many as they like', async () => {
    assert.equal((await statuses('::1', (call) => `2001:db8:0:1:${call}::${call}`)).at(-1), 429);
  });

  it('ignores the addresses that the visitor adds', async () => {
    assert.equal((await statuses('10.0.0.1', (call) => `198.51.100.${call}, 203.0.113.9`)).at(-1), 429);
    assert.equal((await statuses('10.0.0.1', (call) => `198.51.100.${call}, unknown`)).at(-1), 429);
    assert.equal((await statuses('192.0.2.9', (call) => `198.51.100.${call}`)).at(-1), 429);
  });

  it('rejects an invalid list of proxies', () => {
    const proxies = (environment: Record<string, string>) => {
      const configuration = readConfiguration([], environment);
      return configuration === 'help' ? configuration : configuration.trustProxy;
    };
    assert.deepEqual(proxies({ TRUST_PROXY: ' 10.0.0.0/8, ::1 ' }), ['10.0.0.0/8', '::1']);
    assert.deepEqual(proxies({}), []);
    for (const wrong of ['true', '10', '10.0.0', '0x0a000001', '10.0.0.0/33', '10.0.0.0/', '10/8', '::1/129']) {
      assert.throws(() => proxies({ TRUST_PROXY: wrong }), new RegExp(`TRUST_PROXY.*${wrong}`), wrong);
    }
  });

  it('reads a range of IPv4 addresses in IPv6 notation', () => {
    const found = addressRanges(['::ffff:10.0.0.0/104']).map(([address, bits]) => [address.toString(), bits]);
    assert.deepEqual(found, [['10.0.0.0', 8]]);
  });
});

it('the service counts the calls of a secret key from all addresses together', async () => {
  const key = await tested.makeKey();
  for (let call = 0; call < 20; call++) await tested.chat('Hi', { key, address: `192.0.2.${call}` });
  assert.equal((await tested.chat('Hi', { key, address: '192.0.2.99' })).status, 429);
});

it('the operations of the team have a limit of calls in a minute', async () => {
  const call = () => tested.api('GET', '/../../team/audit-log');
  const first = await call();
  const left = Number(first.headers.get('x-ratelimit-remaining'));
  assert.deepEqual([first.status, left], [200, 299]);
  for (let count = 0; count < left; count++) await call();
  const { status, headers } = await call();
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
});
