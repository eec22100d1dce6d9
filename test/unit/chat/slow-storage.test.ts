/** Erasing while the storage is slow: what was there before is gone, and what the visitor sends afterwards stays. */
import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import { isBusy } from '../../../src/chat/state/state.ts';
import { GuardedStorage } from '../../../src/chat/storage/storage.ts';
import {
  createDrafts,
  createErasures,
  createWorld,
  FakeBrowser,
  openTab,
  person,
  storedRecord,
  tabWith,
} from '../../support/fakes/conversation.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';
import { holdHashes, type HeldHashes } from '../../support/fakes/hashes.ts';
import { response, started, streamed, type FakeResponse } from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';
import { hold } from '../../support/fakes/stored-browser.ts';

const contact = async () => person('amal');

type Step = { type: 'draft' | 'send' | 'reset' | 'resume' | 'reload' | 'wait'; tab: number } | { type: 'store' };

interface Setting {
  tabs: number;
  /** Without it, two tabs do not know of each other's erasure while both are in progress. Then only the first tab erases. */
  hasLocalStorage: boolean;
}

const stepOf = ({ tabs, hasLocalStorage }: Setting): fc.Arbitrary<Step> => {
  const types = ['draft', 'send', 'send', 'resume', 'reload', 'wait'] as const;
  const type = fc.constantFrom(...types);
  const tab = fc.nat(tabs - 1);
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ type, tab }) },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('reset' as const), tab: hasLocalStorage ? tab : fc.constant(0) }),
    },
    { weight: 4, arbitrary: fc.constant<Step>({ type: 'store' }) },
  );
};

/** The texts that the visitor has sent or typed, by what has to become of them. */
class Texts {
  /** Those of all tabs before the last erasure: gone. */
  erased: string[] = [];
  /** Those that were sent since in the tab that has erased: kept. */
  kept: string[] = [];
  /** The others since. An erasure may or may not have reached their tab. */
  #others: string[] = [];
  /** The tab that has erased last. */
  tab = 0;

  sent(text: string, tab: number): void {
    (tab === this.tab ? this.kept : this.#others).push(text);
  }

  typed(text: string): void {
    this.#others.push(text);
  }

  erase(tab: number): void {
    this.erased = [...this.erased, ...this.kept, ...this.#others];
    [this.kept, this.#others, this.tab] = [[], [], tab];
  }
}

/** A service that starts a conversation for each call without one. */
const createReply = (): FakeResponse => {
  let count = 0;
  return (call) => {
    const id = call.body.conversation_id;
    const message = { ...response().message!, id: `msg_${++count}` };
    const fields = { conversation_id: id ?? `cnv_${count}`, message };
    return streamed(id ? response(fields) : started(fields))(call);
  };
};

const run = async ({ tabs: tabCount, hasLocalStorage }: Setting, steps: readonly Step[]) => {
  const storage = new SlowStorage();
  const world = { ...createWorld(), storage };
  const reply = createReply();
  const texts = new Texts();
  const erasing: Promise<void>[] = [];
  const open = () => {
    let isDurable = true;
    const guarded = new GuardedStorage(storage, world.clock, () => {
      isDurable = false;
    });
    const tab = openTab(world, [], { storage: guarded, ...(!hasLocalStorage && { erasures: createErasures() }) });
    void tab.conversation.start();
    return { ...tab, isDurable: () => isDurable };
  };
  const tabs = Array.from({ length: tabCount }, open);
  for (let count = 0; count < 4 * tabCount; count++) await storage.step();
  for (const [index, step] of steps.entries()) {
    if (step.type === 'store') {
      await storage.step();
      continue;
    }
    const { conversation, service } = tabs[step.tab]!;
    const text = `text-${index}-`;
    if (step.type === 'wait') await world.clock.advance(500);
    if (step.type === 'resume') void conversation.resume();
    // The tab that has erased last stays open: what it has not stored yet is only there.
    if (step.type === 'reload' && step.tab !== texts.tab) {
      conversation.dispose();
      tabs[step.tab] = open();
    }
    if (step.type === 'draft') {
      conversation.setDraft(text);
      texts.typed(text);
    }
    if (step.type === 'send') {
      service.add(reply);
      void conversation.send(text);
      texts.sent(text, step.tab);
    }
    if (step.type === 'reset') {
      texts.erase(step.tab);
      erasing.push(conversation.reset());
    }
    // A visitor's next action is never in the same millisecond.
    await world.clock.advance(1);
  }
  await storage.speedUp();
  await Promise.all(erasing);
  await world.clock.advance(20_000);
  const shown = JSON.stringify(tabs[texts.tab]!.store.state);
  const shownAnywhere = JSON.stringify(tabs.map(({ store }) => store.state));
  const stored = JSON.stringify((await storage.load('key')) ?? null);
  return { texts, shown, shownAnywhere, stored, isDurable: tabs[texts.tab]!.isDurable() };
};

/** Returns the texts that were sent, those that the service has received, and the state at the end. */
const runOneTab = async (
  steps: readonly (readonly [time: number, action: string])[],
  isVerified: boolean,
  hashes: HeldHashes,
) => {
  const storage = new SlowStorage();
  const world = { ...createWorld(), storage };
  const drafts = createDrafts();
  const reply = createReply();
  const texts: string[] = [];
  const received = new Set<string>();
  const open = () => {
    const tab = openTab(world, [], { drafts });
    if (isVerified) tab.conversation.setContact(contact);
    void tab.conversation.start();
    return tab;
  };
  let { conversation, service } = open();
  const noteReceived = () => service.calls.forEach(({ body }) => received.add(body.messages[0]!.content));
  for (const [index, [time, action]] of steps.entries()) {
    for (let count = 0; count < time; count++) await storage.step();
    if (action === 'stop') conversation.stop();
    // The page passes the visitor again, and the conversation is locked until that is proven.
    if (action === 'prove') conversation.setContact(() => contact(), true);
    if (action === 'wait') await world.clock.advance(500);
    if (action === 'send') {
      service.add(reply);
      conversation.setDraft(`${conversation.store.state.draft} text-${index}-`.trim());
      texts.push(`text-${index}-`);
      conversation.sendDraft();
    }
    if (action === 'reload') {
      noteReceived();
      conversation.dispose();
      ({ conversation, service } = open());
    }
    await world.clock.advance(1);
    if (index % 2) {
      await hashes.release();
      await settle();
    }
  }
  await storage.speedUp();
  for (let count = 0; count < 10; count++) {
    await hashes.release();
    await settle();
    await world.clock.advance(2_000);
  }
  noteReceived();
  return { texts, received, state: conversation.store.state };
};

const settings: readonly Setting[] = [
  { tabs: 1, hasLocalStorage: true },
  { tabs: 2, hasLocalStorage: true },
  { tabs: 2, hasLocalStorage: false },
];

describe('A storage that is slow', () => {
  afterEach(() => mock.restoreAll());

  for (const setting of settings) {
    const { tabs, hasLocalStorage } = setting;
    const title = `${tabs} ${tabs === 1 ? 'tab' : 'tabs'}, ${hasLocalStorage ? 'with' : 'without'} localStorage`;
    it(`loses nothing that is sent after an erasure, and nothing erased returns, in ${title}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepOf(setting), { minLength: 3, maxLength: 14 }), async (steps) => {
          const { texts, shown, shownAnywhere, stored, isDurable } = await run(setting, steps);
          for (const text of texts.kept) {
            assert.ok(shown.includes(text), `${text} is not shown`);
            assert.ok(!isDurable || stored.includes(text), `${text} is not stored`);
          }
          for (const text of texts.erased) {
            assert.ok(!shownAnywhere.includes(text), `${text} is shown`);
            assert.ok(!stored.includes(text), `${text} is stored`);
          }
        }),
        { numRuns: process.env['IS_QUICK'] ? 200 : 600, seed: 7, includeErrorInReport: true },
      );
    });
  }

  for (const isVerified of [false, true]) {
    const visitor = isVerified ? 'a verified' : 'an anonymous';
    it(`loses no message of ${visitor} visitor in a tab that is reloaded, and marks none as delivered that was not received`, async () => {
      // Computing the owner of a proof takes a task of its own.
      const hashes = holdHashes();
      // What the storage has time for before an action: a turn needs about ten of its steps.
      const actions = ['send', 'send', 'stop', 'reload', 'wait', ...(isVerified ? ['prove'] : [])];
      const step = fc.tuple(fc.nat(12), fc.constantFrom(...actions));
      // A message that is sent while the conversation is locked, before one that had waited in it: found among 4,000 runs.
      const times = [5, 5, 5, 2, 10, 0, 5, 0];
      const overtaking = times.map((time, index): [number, string] => [time, index === 2 ? 'prove' : 'send']);
      const examples: [[number, string][]][] = isVerified ? [[overtaking]] : [];
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const { texts, received, state } = await runOneTab(steps, isVerified, hashes);
          const own = [...state.messages, ...state.queued].filter((message) => message.role === 'user');
          const shown = [state.draft, ...own.map(({ text }) => text)].join();
          for (const text of texts) {
            const isReceived = [...received].some((content) => content.includes(text));
            assert.ok(isReceived || shown.includes(text), `${text} is lost`);
          }
          for (const { delivery, text } of own)
            assert.ok(delivery !== 'confirmed' || received.has(text), `${text} was not received`);
          assert.ok(!isBusy(state), 'the chat stays busy');
          assert.deepEqual(state.queued, [], 'a message waits for ever');
        }),
        { numRuns: process.env['IS_QUICK'] ? 200 : 600, seed: 7, examples, includeErrorInReport: true },
      );
    });
  }

  for (const isFollowed of [false, true]) {
    const follower = isFollowed ? 'a record that follows it' : 'its tombstone';
    it(`does not keep what was typed before an erasure in a tab that reads ${follower} later`, async () => {
      const world = createWorld();
      const one = await tabWith(world, streamed(started()));
      const { held, release } = hold(world.storage);
      // This tab gets no news of the other one.
      const two = openTab({ ...world, browser: new FakeBrowser(), storage: held });
      void two.conversation.start();
      two.conversation.setDraft('secret');
      await world.clock.advance(10);
      await one.conversation.reset();
      if (isFollowed) await one.conversation.send('Hi');
      release();
      await world.clock.advance(2_000);
      assert.equal(two.store.state.draft, '');
      assert.ok(!JSON.stringify((await storedRecord(world)) ?? null).includes('secret'));
      two.conversation.setDraft('Hello');
      await world.clock.advance(2_000);
      assert.equal(two.store.state.draft, 'Hello');
    });
  }

  it('keeps the draft that a tab has saved before a reload when the clock was set back after an erasure', async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const { conversation } = openTab(world, [], { drafts });
    await conversation.start();
    await conversation.reset();
    conversation.setDraft('Half a thought');
    conversation.saveDrafts();
    const clock = new FakeClock(world.clock.now() - 3_600_000);
    const next = openTab({ ...world, clock }, [], { drafts });
    await next.conversation.start();
    assert.equal(next.store.state.draft, 'Half a thought');
  });
});
