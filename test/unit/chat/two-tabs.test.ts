/** Every order of what two tabs can do with one record, compared with a model: the erased text never returns. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createErasures, createWorld, openTab, type World } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { refusal, started, streamed } from '../../support/fakes/fake-service.ts';

type Step = 'erase' | 'write' | 'broadcast' | 'reload';

const steps: readonly Step[] = ['erase', 'write', 'broadcast', 'reload'];

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));

/** Holds back the news between the tabs until they are delivered, or for ever. */
const holdNews = (world: World) => {
  const deliveries: (() => void)[] = [];
  const open = world.browser.open.bind(world.browser);
  world.browser.open = (onNews) => open((news) => void deliveries.push(() => onNews(news)));
  return () => {
    for (const deliver of deliveries.splice(0)) deliver();
  };
};

interface Setting {
  hasChannel: boolean;
  hasSharedIntents: boolean;
}

/** One tab erases the record, the other one writes a draft, the news arrive and the writing tab reloads, in this order. */
const run = async (order: readonly Step[], { hasChannel, hasSharedIntents }: Setting) => {
  const world = createWorld();
  const options = () => (hasSharedIntents ? {} : { erasures: createErasures() });
  const deliver = holdNews(world);
  const one = openTab(world, [streamed(started())], options());
  await one.conversation.start();
  await one.conversation.send('secret');
  await world.clock.advance(1_000);
  let two = openTab(world, [], options());
  await two.conversation.start();
  deliver();
  await settle();
  const shown: string[] = [];
  const actions: Record<Step, () => Promise<void>> = {
    erase: async () => one.conversation.reset(),
    write: async () => {
      two.conversation.setDraft('draft');
      await world.clock.advance(2_000);
    },
    broadcast: async () => {
      if (hasChannel) deliver();
    },
    reload: async () => {
      two.conversation.dispose();
      await settle();
      two = openTab(world, [], options());
      await two.conversation.start();
    },
  };
  for (const step of order) {
    await actions[step]();
    await settle();
    if (order.indexOf('erase') <= order.indexOf(step)) shown.push(JSON.stringify(one.store.state));
  }
  // A page that is used again reads the record, whether or not any news has arrived.
  await two.conversation.resume();
  await world.clock.advance(2_000);
  shown.push(JSON.stringify(two.store.state));
  return { shown: shown.join(), stored: JSON.stringify(await world.storage.load('key')) };
};

describe('Two tabs of one record', () => {
  for (const hasChannel of [true, false]) {
    for (const hasSharedIntents of [true, false]) {
      const title = `${hasChannel ? 'with' : 'without'} BroadcastChannel, ${hasSharedIntents ? 'with' : 'without'} localStorage`;
      it(`never bring an erased text back, in any order, ${title}`, async () => {
        for (const order of permutations(steps)) {
          const { shown, stored } = await run(order, { hasChannel, hasSharedIntents });
          assert.ok(!shown.includes('secret'), `${order.join(', ')}: shown`);
          assert.ok(!stored.includes('secret') && !stored.includes('tok_1'), `${order.join(', ')}: stored`);
        }
      });
    }
  }
});

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
