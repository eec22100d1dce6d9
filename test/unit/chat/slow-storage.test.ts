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

const run = async ({ tabs: tabCount, hasLocalStorage }: Setting, steps: readonly Step[]) => {
  const storage = new SlowStorage();
  const world = { ...createWorld(), storage };
  let count = 0;
  const reply: FakeResponse = (call) => {
    const id = call.body.conversation_id;
    const fields = {
      conversation_id: id ?? `cnv_${++count}`,
      message: { ...response().message!, id: `msg_${++count}` },
    };
    return streamed(id ? response(fields) : started(fields))(call);
  };
  const tabs = Array.from({ length: tabCount }, () =>
    openTab(world, [], hasLocalStorage ? {} : { erasures: createErasures() }),
  );
  for (const { conversation } of tabs) void conversation.start();
  for (let i = 0; i < 4 * tabCount; i++) await storage.step();
  /** The texts of all tabs before the last erasure, and those of its tab after it. */
  let before: string[] = [];
  let after: string[] = [];
  /** The texts of the other tab since the last erasure, which may or may not have reached that tab. */
  let others: string[] = [];
  let last = 0;
  const erasing: Promise<void>[] = [];
  for (const step of steps) {
    if (step.type === 'store') {
      await storage.step();
      continue;
    }
    const { conversation, service } = tabs[step.tab]!;
    const text = `text-${++count}-`;
    switch (step.type) {
      case 'draft':
        conversation.setDraft(text);
        others.push(text);
        break;
      case 'send':
        service.add(reply);
        void conversation.send(text);
        (step.tab === last ? after : others).push(text);
        break;
      case 'reset':
        before = [...before, ...after, ...others];
        after = [];
        others = [];
        last = step.tab;
        erasing.push(conversation.reset());
        break;
      case 'resume':
        void conversation.resume();
        break;
      case 'wait':
        await world.clock.advance(500);
    }
    await settle();
  }
  await storage.speedUp();
  await Promise.all(erasing);
  await world.clock.advance(20_000);
  const shown = JSON.stringify(tabs[last]!.store.state);
  const stored = JSON.stringify((await storage.load('key')) ?? null);
  return { before, after, shown, stored };
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
          const { before, after, shown, stored } = await run(setting, steps);
          for (const text of after) {
            assert.ok(shown.includes(text), `${text} is not shown`);
            assert.ok(stored.includes(text), `${text} is not stored`);
          }
          for (const text of before) {
            assert.ok(!shown.includes(text), `${text} is shown`);
            assert.ok(!stored.includes(text), `${text} is stored`);
          }
        }),
        { numRuns: Number(process.env['RUNS'] ?? 300), seed: 7 },
      );
    });
  }
});
