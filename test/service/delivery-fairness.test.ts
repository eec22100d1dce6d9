import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeLoad, runLoad } from '../support/servers/delivery-load.ts';
import { addWorkspace } from '../support/servers/workspaces.ts';
import { useTestService } from './support.ts';

// Longer than the test: the attempts at endpoints that hang keep their slots until the end, however busy the machine is.
const deliveryTimeoutMs = 120_000;
const tested = useTestService({ allowLoopback: true, background: true, now: Date.now, deliveryTimeoutMs });

it('delivers to endpoints that respond, and indexes, while 18 endpoints of two workspaces hang', async (test) => {
  const { url, close } = await tested.service.listen();
  const first = { key: tested.secretKey, agentId: tested.agentId };
  const begun = Date.now();
  const load = { seconds: 3, eventsPerSecond: 20 };
  const result = await runLoad(url, [first, await addWorkspace(tested.service.db)], load);
  await close();
  test.diagnostic(describeLoad(result));
  assert.ok(Date.now() - begun < deliveryTimeoutMs);
  assert.equal(result.latencies.length, result.sent);
  assert.ok(result.indexed.length >= 2, 'each workspace has indexed a source');
  assert.ok(result.hanging >= 18, 'every endpoint that hangs was attempted');
});
