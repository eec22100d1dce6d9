import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { createWorld, openTab, transcript } from '../../support/fakes/conversation.ts';
import { refusal, started, streamed } from '../../support/fakes/fake-service.ts';

describe('A subscriber of the store that throws', () => {
  it('is reported, and costs neither the other subscribers nor a turn that waits for the service', async (context) => {
    const error = context.mock.method(console, 'error', () => {});
    const world = createWorld();
    const busy = refusal(429, 'rate_limited', { 'retry-after': '7' });
    const { conversation, service, store } = openTab(world, [busy, streamed(started())]);
    store.subscribe((state) => {
      if (state.turn.status === 'waiting') throw new Error('a translation of the page');
    });
    const later = mock.fn();
    store.subscribe(later);
    await conversation.start();
    const sent = conversation.send('Hi');
    await world.clock.advance(10_000);
    await sent;
    assert.equal(service.calls.length, 2);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
    assert.ok(later.mock.callCount() > 3);
    assert.match(String(error.mock.calls[0]?.arguments.at(-1)), /a translation of the page/);
  });
});
