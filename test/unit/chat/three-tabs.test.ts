/** Every order of what two and three tabs can do with one record, with and without what the browser offers to them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createDrafts,
  createErasures,
  createWorld,
  holdNews,
  openTab,
  type World,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { response, started, streamed, type FakeResponse } from '../../support/fakes/fake-service.ts';

type Step = 'erase' | 'write' | 'broadcast' | 'reload' | 'write in a third tab';

const steps: readonly Step[] = ['erase', 'write', 'broadcast', 'reload', 'write in a third tab'];

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));

interface Setting {
  hasChannel: boolean;
  hasLocks: boolean;
  hasLocalStorage: boolean;
}

/** Lets each tab take a turn without asking the others, as where the browser has no Web Locks. */
const removeLocks = ({ browser }: World) => {
  const open = browser.open.bind(browser);
  browser.open = (onNews) => ({ ...open(onNews), runExclusive: (turn) => turn(), isBusy: async () => false });
};

const reply: FakeResponse = (call) => streamed(call.body.conversation_id ? response() : started())(call);

const run = async (order: readonly Step[], setting: Setting) => {
  const world = createWorld();
  if (!setting.hasLocks) removeLocks(world);
  const deliver = holdNews(world);
  const open = async () => {
    const options = setting.hasLocalStorage ? {} : { erasures: createErasures() };
    const tab = openTab(world, [reply, reply, reply], { drafts: createDrafts(), ...options });
    await tab.conversation.start();
    return tab;
  };
  const one = await open();
  await one.conversation.send('secret');
  await world.clock.advance(1_000);
  let two = await open();
  const three = await open();
  deliver();
  await settle();
  const isErased = (step: Step) => order.indexOf('erase') < order.indexOf(step);
  const write = async ({ conversation }: typeof one, step: Step) => {
    void conversation.send(isErased(step) ? `after ${step}` : 'a later secret');
    await world.clock.advance(2_000);
  };
  const actions: Record<Step, () => Promise<void>> = {
    erase: () => one.conversation.reset(),
    write: () => write(two, 'write'),
    broadcast: async () => {
      if (setting.hasChannel) deliver();
    },
    reload: async () => {
      two.conversation.dispose();
      await settle();
      two = await open();
    },
    'write in a third tab': () => write(three, 'write in a third tab'),
  };
  for (const step of order) {
    await actions[step]();
    await settle();
  }
  for (const { conversation } of [one, two, three]) {
    await conversation.resume();
    await world.clock.advance(2_000);
  }
  const states = [one, two, three].map(({ store }) => JSON.stringify(store.state));
  return { states, stored: JSON.stringify(await world.storage.load('key')) };
};

const settings: readonly Setting[] = [
  { hasChannel: true, hasLocks: true, hasLocalStorage: true },
  { hasChannel: true, hasLocks: false, hasLocalStorage: true },
  { hasChannel: false, hasLocks: true, hasLocalStorage: true },
  { hasChannel: false, hasLocks: false, hasLocalStorage: true },
  { hasChannel: true, hasLocks: true, hasLocalStorage: false },
  { hasChannel: false, hasLocks: true, hasLocalStorage: false },
];

describe('Three tabs of one record', () => {
  for (const setting of settings) {
    const missing = [
      setting.hasChannel ? '' : 'BroadcastChannel',
      setting.hasLocks ? '' : 'Web Locks',
      setting.hasLocalStorage ? '' : 'localStorage',
    ].filter(Boolean);
    const title = missing.length > 0 ? `without ${missing.join(' and ')}` : 'in a current browser';
    it(`never bring an erased text back, and end with the same messages, in any order, ${title}`, async () => {
      for (const order of permutations(steps)) {
        const { states, stored } = await run(order, setting);
        for (const content of [...states, stored])
          assert.ok(!content.includes('secret'), `${order.join()}: ${content}`);
        const texts = states.map((state) => JSON.stringify(state.match(/after [a-z ]+/g) ?? []));
        assert.equal(new Set(texts).size, 1, `${order.join()}: ${texts.join(' and ')}`);
      }
    });
  }
});
