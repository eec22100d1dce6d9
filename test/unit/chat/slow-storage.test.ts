/** Erasing while the storage is slow: what was there before is gone, and what the visitor sends afterwards stays. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createErasures, createWorld, openTab } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { response, started, streamed, type FakeResponse } from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';

type Step = { type: 'draft' | 'send' | 'reset' | 'resume' | 'wait'; tab: number } | { type: 'store' };

interface Setting {
  tabs: number;
  /** Without it, two tabs do not know of each other's erasure while both are in progress. Then only the first tab erases. */
  hasLocalStorage: boolean;
}

const stepOf = ({ tabs, hasLocalStorage }: Setting): fc.Arbitrary<Step> => {
  const type = fc.constantFrom<'draft' | 'send' | 'resume' | 'wait'>('draft', 'send', 'send', 'resume', 'wait');
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
  const tabs = Array.from({ length: tabCount }, () =>
    openTab(world, [], hasLocalStorage ? {} : { erasures: createErasures() }),
  );
  for (const { conversation } of tabs) void conversation.start();
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
    await settle();
  }
  await storage.speedUp();
  await Promise.all(erasing);
  await world.clock.advance(20_000);
  const shown = JSON.stringify(tabs[texts.tab]!.store.state);
  const stored = JSON.stringify((await storage.load('key')) ?? null);
  return { texts, shown, stored };
};

const settings: readonly Setting[] = [
  { tabs: 1, hasLocalStorage: true },
  { tabs: 2, hasLocalStorage: true },
  { tabs: 2, hasLocalStorage: false },
];

describe('A storage that is slow', () => {
  for (const setting of settings) {
    const { tabs, hasLocalStorage } = setting;
    const title = `${tabs} ${tabs === 1 ? 'tab' : 'tabs'}, ${hasLocalStorage ? 'with' : 'without'} localStorage`;
    it(`loses nothing that is sent after an erasure, and nothing erased returns, in ${title}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepOf(setting), { minLength: 3, maxLength: 14 }), async (steps) => {
          const { texts, shown, stored } = await run(setting, steps);
          for (const text of texts.kept) {
            assert.ok(shown.includes(text), `${text} is not shown`);
            assert.ok(stored.includes(text), `${text} is not stored`);
          }
          for (const text of texts.erased) {
            assert.ok(!shown.includes(text), `${text} is shown`);
            assert.ok(!stored.includes(text), `${text} is stored`);
          }
        }),
        { numRuns: 300, seed: 7 },
      );
    });
  }
});
