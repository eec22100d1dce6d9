/** Two tabs of one record after its 24 hours: no text is lost, and an erased one never returns. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createErasures, createWorld, holdNews, openTab } from '../../support/fakes/conversation.ts';
import { refusal, started, streamed } from '../../support/fakes/fake-service.ts';

describe('Two tabs of an expired record', () => {
  const act: Record<string, (tab: ReturnType<typeof openTab>, text: string) => void> = {
    types: ({ conversation }, text) => conversation.setDraft(text),
    sends: ({ conversation, service }, text) => {
      service.add(refusal(422, 'validation_error'));
      void conversation.send(text);
    },
  };

  for (const [first, actFirst] of Object.entries(act))
    for (const [second, actSecond] of Object.entries(act))
      for (const wait of [0, 100, 5_000])
        it(`lose no text: one ${first}, and the other ${second} ${wait} ms later`, async () => {
          const world = createWorld();
          const one = openTab(world, [streamed(started())]);
          await one.conversation.start();
          await one.conversation.send('hello');
          await world.clock.advance(1_000);
          const two = openTab(world);
          await two.conversation.start();
          await world.clock.advance(25 * 3_600_000);
          actFirst(one, 'text one');
          await world.clock.advance(wait);
          actSecond(two, 'text two');
          await world.clock.advance(5_000);
          for (const [tab, text] of [
            [one, 'text one'],
            [two, 'text two'],
          ] as const)
            assert.ok(JSON.stringify(tab.store.state).includes(text), `${text} is lost`);
          assert.ok(!JSON.stringify([one.store.state, two.store.state]).includes('hello'));
        });

  it('still obey an erasure of which one of them learns only after its record has expired', async () => {
    const world = createWorld();
    holdNews(world);
    const one = openTab(world, [streamed(started())]);
    await one.conversation.start();
    await one.conversation.send('hello');
    await world.clock.advance(1_000);
    const two = openTab(world, [], { erasures: createErasures() });
    await two.conversation.start();
    two.conversation.setDraft('secret');
    await world.clock.advance(23 * 3_600_000);
    await one.conversation.reset();
    await world.clock.advance(2 * 3_600_000);
    await two.conversation.resume();
    await world.clock.advance(5_000);
    const known = JSON.stringify([two.store.state, await world.storage.load('key')]);
    assert.ok(!/secret|hello/.test(known), known);
  });
});
