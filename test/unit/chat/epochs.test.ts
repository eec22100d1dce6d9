/** One visitor after another, in combinations of tabs, storages and the time at which the record is read. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ContactProof } from '../../../contract/wire.ts';
import { GuardedStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import {
  createErasures,
  createWorld,
  FakeBrowser,
  openTab,
  storedRecord,
  tabWith,
  transcript,
  type World,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { openStream, started, streamed } from '../../support/fakes/fake-service.ts';

const hour = 3_600_000;
const secret = ['visitor confirmed: secret', 'ai whole: Hello there'];

/** Loads the code for identified visitors, which the conversation itself loads on demand. */
const importVisitor = () => import('../../../src/chat/visitor.ts');

// Loading takes real time, and the clock of a test would pass its timeout.
before(() => import('../../../src/chat/storage/erase.ts'));

const person = (name: string): ContactProof => ({ user_id: name, user_hash: `hash-of-${name}` });

describe('A message that is sent before the record has been read', () => {
  it('is kept when the page has erased the record and replaced the element just before', async () => {
    const world = createWorld();
    const before = await tabWith(world);
    const { storage } = world;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const update: ConversationStorage['update'] = async (key, change) => {
      await released;
      await storage.update(key, change);
    };
    const slow: World = { ...world, storage: { load: (key) => storage.load(key), keys: () => storage.keys(), update } };
    void before.conversation.reset();
    before.conversation.dispose();
    const { conversation } = openTab(slow, [streamed(started())]);
    void conversation.start();
    const sending = conversation.send('Hi');
    await world.clock.advance(100);
    release();
    await sending;
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
    assert.equal((await storedRecord(world))?.conversationId, 'cnv_1');
  });
});

describe('An erasure by another tab', () => {
  it('clears the transcript of a tab whose record has expired, and was removed', async () => {
    const world = createWorld();
    const two = await tabWith(world, streamed(started()));
    await two.conversation.reset();
    await two.conversation.send('secret');
    await world.clock.advance(25 * hour);
    const one = await tabWith(world);
    assert.deepEqual(transcript(two.conversation), secret);
    await one.conversation.reset();
    await settle();
    assert.deepEqual(transcript(two.conversation), []);
  });

  it('ends the conversation of a tab in memory mode, also when that learns of it before it is complete', async () => {
    const world = createWorld();
    const storage = new GuardedStorage(null, world.clock, () => {});
    const { conversation } = openTab(world, [streamed(started())], { storage });
    await conversation.start();
    await conversation.send('secret');
    await world.clock.advance(2_000);
    const erased = [{ epoch: 'of the other tab', previous: null }];
    world.erasures.set('key', { epoch: 'next', known: erased, erasedAt: world.clock.now() });
    await conversation.resume();
    assert.deepEqual(transcript(conversation), []);
    world.erasures.clear('key', 'next');
    await conversation.resume();
    assert.deepEqual(transcript(conversation), []);
  });
});

describe('A record that is read although it has been erased', () => {
  /** A storage whose reads take place at once, but return when `release` is called. */
  const holdReads = (storage: ConversationStorage) => {
    let gate: Promise<void> = Promise.resolve();
    let release = () => {};
    const load = async (key: string) => {
      const value = await storage.load(key);
      await gate;
      return value;
    };
    return {
      storage: { load, keys: () => storage.keys(), update: storage.update.bind(storage) },
      hold: () => {
        gate = new Promise((resolve) => {
          release = resolve;
        });
      },
      release: () => release(),
    };
  };

  const failing: ConversationStorage = {
    load: () => Promise.reject(new Error('unavailable')),
    update: () => Promise.reject(new Error('unavailable')),
    keys: () => Promise.reject(new Error('unavailable')),
  };

  /** A world with a record, and an erasure of it that is not complete. */
  const begin = async (isFirst = true) => {
    const world = createWorld();
    const { conversation } = await tabWith(world, streamed(started()));
    if (!isFirst) await conversation.reset();
    await conversation.send('secret');
    const { epoch, previous } = (await storedRecord(world))!;
    conversation.dispose();
    await settle();
    const erasure = { epoch: 'next', known: [{ epoch, previous }], erasedAt: world.clock.now() };
    const complete = () =>
      world.storage.update('key', () => ({ version: 1, epoch: 'next', previous: epoch, erasedAt: 0 }));
    return { world, erasure, complete };
  };

  it('stays erased when the erasure is completed between the read and its result', async () => {
    const { world, erasure, complete } = await begin();
    world.erasures.set('key', erasure);
    const held = holdReads(world.storage);
    const storage = new GuardedStorage(held.storage, world.clock, () => {}, failing);
    const { conversation } = openTab(world, [], { storage });
    await conversation.start();
    held.hold();
    const reading = conversation.resume();
    await settle();
    await complete();
    world.erasures.clear('key', 'next');
    held.release();
    await reading;
    assert.deepEqual(transcript(conversation), []);
  });

  for (const [isRead, isFirst] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const title = `${isRead ? 'after' : 'before'} its first read, ${isFirst ? 'without' : 'with'} an erasure before`;
    it(`stays erased for a tab that has only the news of the erasure, ${title}`, async () => {
      const { world, erasure } = await begin(isFirst);
      const held = holdReads(world.storage);
      const storage = new GuardedStorage(held.storage, world.clock, () => {});
      const { conversation } = openTab(world, [streamed(started())], { storage, erasures: createErasures() });
      if (!isRead) held.hold();
      const starting = conversation.start();
      if (isRead) await starting;
      await settle();
      world.browser.open(() => {}).post({ type: 'erased', erasure });
      held.release();
      await starting;
      await conversation.resume();
      assert.deepEqual(transcript(conversation), []);
      await conversation.send('Hello');
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Hello', 'ai whole: Hello there']);
      assert.ok(!JSON.stringify(await storedRecord(world)).includes('secret'));
    });
  }
});

describe('Visitors whose contact functions replace each other before the first one has returned', () => {
  for (const isCodeLoaded of [false, true]) {
    const when = isCodeLoaded ? 'after' : 'before';
    const identified = async (...names: string[]) => {
      const world = createWorld();
      const { conversation } = await tabWith(world, streamed(started()));
      await conversation.send('secret');
      if (isCodeLoaded) await importVisitor();
      for (const name of names) conversation.setContact(async () => person(name), true);
      while (conversation.store.state.status !== 'ready' || (await storedRecord(world))?.owner === null) {
        await world.clock.advance(0);
        await settle();
      }
      return transcript(conversation);
    };

    it(`never share a conversation, ${when} the code for identified visitors is loaded`, async () => {
      assert.deepEqual(await identified('amal', 'badr'), []);
      assert.deepEqual(await identified('amal', 'badr', 'amal'), []);
      assert.deepEqual(await identified('amal', 'badr', 'badr'), []);
    });

    it(`keep their conversation when they are one person, ${when} the code for identified visitors is loaded`, async () => {
      assert.deepEqual(await identified('amal', 'amal'), secret);
    });
  }
});

describe('A reply that streams while the page changes its contact', () => {
  // On a busy machine the code is not there before its timeout has passed.
  for (const [cause, prepare] of [
    ['no contact proves an identity', importVisitor],
    ['the code for identified visitors is late', () => {}],
  ] as const) {
    it(`does not keep the chat busy for ever when ${cause}`, async () => {
      await prepare();
      const world = createWorld();
      const stream = openStream();
      const { conversation } = await tabWith(world, stream.reply);
      let isOver = false;
      void conversation.send('secret')!.then(() => (isOver = true));
      await world.clock.advance(1_000);
      stream.write('delta', { text: 'Hel' });
      await settle();
      for (const reason of ['signed out', 'the session has expired'])
        conversation.setContact(() => Promise.reject(new Error(reason)), true);
      stream.write('done', started());
      stream.end();
      await world.clock.advance(60_000);
      await settle();
      assert.ok(isOver);
    });
  }
});

describe('The draft of a tab', () => {
  it('is stored when the visitor is identified in another tab before it was saved', async () => {
    const world = createWorld();
    const stream = openStream();
    // This tab gets no news of the other one.
    const one = await tabWith({ ...world, browser: new FakeBrowser() }, stream.reply);
    void one.conversation.send('secret');
    await world.clock.advance(0);
    const two = await tabWith(world);
    one.conversation.setDraft('Half a thought');
    two.conversation.setContact(person('amal'), true);
    // Proofs take real time.
    while ((await storedRecord(world))?.owner === null) await world.clock.advance(0);
    const isLocked = () => one.store.state.status === 'locked';
    await world.clock.advance(1_000);
    assert.ok(isLocked());
    assert.equal((await storedRecord(world))?.draft, 'Half a thought');
    one.conversation.setContact(person('amal'), true);
    while (isLocked()) await settle();
    assert.equal(one.store.state.draft, 'Half a thought');
  });

  it('is stored when the tab is left after another tab has sent its own draft', async () => {
    const world = createWorld();
    const one = await tabWith(world, streamed(started()));
    const two = await tabWith(world);
    two.conversation.setDraft('Of two');
    await world.clock.advance(2_000);
    one.conversation.setDraft('Of one');
    await world.clock.advance(2_000);
    one.conversation.sendDraft();
    await world.clock.advance(2_000);
    assert.equal((await storedRecord(world))?.draft, '');
    two.conversation.suspend();
    await settle();
    assert.equal((await storedRecord(world))?.draft, 'Of two');
  });
});

describe('A conversation that begins with the draft of an expired one', () => {
  it('keeps its messages when another tab reads the record before the reply', async () => {
    const world = createWorld();
    const one = await tabWith(world, streamed(started()));
    await one.conversation.send('Hi');
    one.conversation.setDraft('Again');
    await world.clock.advance(25 * hour);
    const stream = openStream();
    const two = await tabWith(world, stream.reply);
    two.conversation.sendDraft();
    await world.clock.advance(2_000);
    stream.write('delta', { text: 'Hello' });
    await world.clock.advance(2_000);
    await one.conversation.resume();
    one.conversation.setDraft('Also');
    await world.clock.advance(2_000);
    const message = { id: 'msg_2', role: 'assistant', content: 'Hello again' } as const;
    stream.write('done', started({ conversation_id: 'cnv_2', message }));
    stream.end();
    await world.clock.advance(2_000);
    const expected = ['visitor confirmed: Again', 'ai whole: Hello again'];
    assert.deepEqual(transcript(two.conversation), expected);
    const three = await tabWith(world);
    assert.deepEqual(transcript(three.conversation), expected);
  });
});
