import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { callHttp } from '../../service/actions/http-call.ts';
import { createEncryption } from '../../service/core/encryption.ts';
import { actions } from '../../service/db/schema.ts';
import { useServer, useTestService } from './support.ts';

const server = useServer((response) => response.end('{}'));
const received = () => server.requests.map(({ url }) => url);
const tested = useTestService({ allowLoopback: true });
const send = async (town_code: string) => {
  const [action] = await tested.rows(actions, eq(actions.name, 'get_order_status'));
  const called = { ...action!, method: 'GET', urlTemplate: `${server.url}/weather/{town_code}/now` } as const;
  const encryption = createEncryption('for this test');
  return callHttp(called, { town_code }, {}, { encryption, allowLoopback: true });
};

describe('an input in the URL of an action', () => {
  it('is not sent when it would change the path', async () => {
    for (const value of ['.', '..']) {
      const { latencyMs: _, ...outcome } = await send(value);
      assert.deepEqual(outcome, { ok: false, reason: 'invalid_input', detail: { inputs: ['town_code'] } });
    }
    assert.deepEqual(received(), []);
  });

  for (const [value, sent] of [
    ['../x', '..%2Fx'],
    ['%2e%2e', '%252e%252e'],
    ['a.b', 'a.b'],
    ['...', '...'],
    ['?#', '%3F%23'],
    ['\ud83d', '%EF%BF%BD'],
  ] as const) {
    it(`is encoded: ${JSON.stringify(value)}`, async () => {
      await send(value);
      assert.deepEqual(received(), [`/weather/${sent}/now`]);
    });
  }
});
