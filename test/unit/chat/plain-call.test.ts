import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, openTab, transcript, type World } from '../../support/fakes/conversation.ts';
import { json, refusal, started, unreachable, type FakeResponse } from '../../support/fakes/fake-service.ts';

describe('The plain call', () => {
  const plainTab = async (world: World, ...responses: FakeResponse[]) => {
    const tab = openTab(world, responses, { streaming: () => 'off' });
    await tab.conversation.start();
    return tab;
  };

  it('is repeated with the same key and the same body', async () => {
    const world = createWorld();
    const bad: FakeResponse = () => new Response('', { status: 503 });
    const { conversation, service } = await plainTab(world, unreachable, bad, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(60_000);
    await sent;
    const keys = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.equal(new Set(service.calls.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

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

  it('stays the same call when the visitor sends the message again', async () => {
    const world = createWorld();
    const failures = [unreachable, unreachable, unreachable, unreachable, unreachable];
    const { conversation, service, store } = await plainTab(world, ...failures, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(600_000);
    await sent;
    assert.deepEqual(transcript(conversation), ['visitor unconfirmed: Hi']);
    await conversation.sendAgain(store.state.messages[0]!.key);
    assert.equal(new Set(service.calls.map(({ headers }) => headers.get('idempotency-key'))).size, 1);
    assert.equal(service.calls.length, 6);
  });
});
