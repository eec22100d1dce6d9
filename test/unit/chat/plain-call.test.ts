import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, openTab, type World } from '../../support/fakes/conversation.ts';
import { json, refusal, started, type FakeResponse } from '../../support/fakes/fake-service.ts';

describe('The plain call', () => {
  const plainTab = async (world: World, ...responses: FakeResponse[]) => {
    const tab = openTab(world, responses, { streaming: () => 'off' });
    await tab.conversation.start();
    return tab;
  };

  it('uses a new key after a rejection', async () => {
    const world = createWorld();
    const limited = refusal(429, 'rate_limited', { 'retry-after': '1' });
    const { conversation, service } = await plainTab(world, limited, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(10_000);
    await sent;
    const [first, second] = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.notEqual(first, second);
  });
});
