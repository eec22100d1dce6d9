/** The 24 hours of a conversation in one or two tabs: while it lives, what was delivered in it is shown after a reload. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createWorld, openTab, transcript } from '../../support/fakes/conversation.ts';
import {
  openStream,
  refusal,
  response,
  started,
  streamed,
  type FakeResponse,
} from '../../support/fakes/fake-service.ts';

const hour = 3_600_000;

type Step =
  | { type: 'wait'; hours: number }
  | { type: 'reload' | 'draft' | 'send' | 'fail' | 'end' | 'resume'; tab: 0 | 1 };

const tab = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ type: fc.constantFrom('reload', 'draft', 'send', 'send', 'fail', 'end', 'resume'), tab }),
);

/** The service's side of the conversations: they end after 24 hours, or when the team ends them. */
const createService = (now: () => number) => {
  let count = 0;
  let current = { id: '', startedAt: -Infinity, texts: [] as string[] };
  const isAlive = () => now() - current.startedAt < 24 * hour;
  const reply: FakeResponse = (call) => {
    const { conversation_id: id, messages } = call.body;
    if (id && (id !== current.id || !isAlive())) return refusal(410, 'conversation_expired')(call);
    const isNew = !id;
    if (isNew) current = { id: `cnv_${++count}`, startedAt: now(), texts: [] };
    current.texts.push(messages[0]!.content);
    const fields = { conversation_id: current.id, message: { ...response().message!, id: `msg_${++count}` } };
    return streamed(isNew ? started({ ...fields, conversation_token: current.id }) : response(fields))(call);
  };
  return {
    reply,
    end: () => {
      current.startedAt = -Infinity;
    },
    texts: () => (isAlive() ? current.texts : []),
  };
};

const run = async (steps: readonly Step[]) => {
  const world = createWorld();
  const service = createService(() => world.clock.now());
  const open = async () => {
    const opened = openTab(world);
    await opened.conversation.start();
    return opened;
  };
  const tabs = [await open(), await open()];
  let count = 0;
  for (const item of steps) {
    if (item.type === 'wait') await world.clock.advance(item.hours * hour);
    else {
      const { conversation, service: fake } = tabs[item.tab]!;
      if (item.type === 'reload') {
        conversation.dispose();
        await world.clock.advance(1);
        tabs[item.tab] = await open();
      } else if (item.type === 'draft') conversation.setDraft(`draft ${++count}`);
      else if (item.type === 'resume') await conversation.resume();
      else if (item.type === 'end') service.end();
      else {
        fake.add(...(item.type === 'send' ? [service.reply, service.reply] : [refusal(422, 'validation_error')]));
        await conversation.send(`text ${++count}`);
        fake.clear();
      }
    }
    await world.clock.advance(2_000);
  }
  tabs.push(await open());
  const shown = tabs.map(({ store }) =>
    store.state.messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])),
  );
  return { delivered: service.texts(), shown };
};

describe('A draft that waits for days', () => {
  it('is sent into a conversation of its own, which begins then', async () => {
    const world = createWorld();
    const tabs = [openTab(world), openTab(world)] as const;
    for (const { conversation } of tabs) await conversation.start();
    const [{ conversation, service, store }] = tabs;
    service.add(streamed(started()));
    await conversation.send('Monday');
    await world.clock.advance(25 * hour);
    conversation.setDraft('Thursday');
    await world.clock.advance(25 * hour);
    const stream = openStream();
    service.add(stream.reply);
    conversation.sendDraft();
    await world.clock.advance(100);
    stream.write('delta', { text: 'Hello' });
    await world.clock.advance(2_000);
    assert.ok(transcript(conversation).includes('visitor confirmed: Thursday'));
    stream.write('done', started({ conversation_id: 'cnv_2' }));
    stream.end();
    await world.clock.advance(2_000);
    assert.equal(store.state.conversationId, 'cnv_2');
    const shown = tabs.map((tab) => transcript(tab.conversation));
    assert.deepEqual(shown[0], ['notice: restarted', 'visitor confirmed: Thursday', 'ai whole: Hello there']);
    assert.deepEqual(shown[1], shown[0]);
  });
});

describe('A conversation that is younger than 24 hours', () => {
  it('shows what was delivered in it in every tab and after a reload, whatever came before it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        const { delivered, shown } = await run(steps);
        for (const text of delivered)
          for (const texts of shown) assert.ok(texts.includes(text), `“${text}” is missing: ${shown.join(' | ')}`);
      }),
      { numRuns: 400, seed: 5 },
    );
  });
});

describe('A conversation that cannot be stored', () => {
  for (const [what, operate] of [
    ['fails', () => Promise.reject(new Error('The storage is blocked.'))],
    ['hangs', () => new Promise<never>(() => {})],
  ] as const)
    it(`is over after 24 hours when the storage ${what}`, async () => {
      const world = { ...createWorld(), storage: { load: operate, update: operate, keys: operate } };
      const next = started({ conversation_id: 'cnv_2' });
      const { conversation, service } = openTab(world, [streamed(started()), streamed(next)]);
      void conversation.start();
      void conversation.send('One');
      await world.clock.advance(25 * hour);
      void conversation.resume();
      await world.clock.advance(10_000);
      assert.deepEqual(transcript(conversation), ['notice: restarted']);
      void conversation.send('Two');
      await world.clock.advance(10_000);
      assert.equal(service.calls[1]!.body.conversation_id, undefined);
      assert.deepEqual(transcript(conversation).slice(1), ['visitor confirmed: Two', 'ai whole: Hello there']);
    });
});
