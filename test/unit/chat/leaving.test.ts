import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { createDrafts, createWorld, openTab, person, slowProof, transcript } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { openStream, refusal, started, streamed, type FakeResponse } from '../../support/fakes/fake-service.ts';
import { hashAtOnce } from '../../support/fakes/hashes.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';

hashAtOnce();

const silent: FakeResponse = () => new Promise(() => {});

describe('A page that is left', () => {
  it('sends nothing more, although a message waits behind a stopped turn', async () => {
    const stream = openStream();
    const { conversation, service } = openTab(createWorld(), [stream.reply]);
    await conversation.start();
    void conversation.send('One');
    await settle();
    conversation.stop();
    void conversation.send('Two');
    await settle();
    conversation.dispose();
    await settle();
    assert.equal(service.calls.length, 1);
    assert.deepEqual(
      transcript(conversation).filter((line) => line.startsWith('visitor')),
      ['visitor confirmed: One', 'visitor unsent: Two'],
    );
  });

  it('stores a message that waits for the service as not sent', async () => {
    const world = createWorld();
    const { conversation } = openTab(world, [refusal(429, 'rate_limited', { 'retry-after': '60' })]);
    await conversation.start();
    void conversation.send('Hi');
    await settle();
    conversation.dispose();
    assert.deepEqual(transcript(conversation), ['visitor unsent: Hi']);
  });
});

describe('A page that is left before a write is completed', () => {
  const lostWrites: ConversationStorage = {
    load: async () => undefined,
    update: () => new Promise(() => {}),
    keys: async () => [],
  };

  it('returns the message and the draft to the composer of the next page', async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const first = openTab({ ...world, storage: lostWrites }, [], { drafts });
    await first.conversation.start();
    void first.conversation.send('Hi');
    await settle();
    first.conversation.setDraft('Half a thought');
    first.conversation.suspend();
    const second = openTab(world, [], { drafts });
    await second.conversation.start();
    assert.equal(first.service.calls.length, 0);
    assert.equal(second.store.state.draft, 'Hi\n\nHalf a thought');
  });

  it('returns them where the transaction aborts, for which some browsers give no reason', async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const aborting: ConversationStorage = {
      ...lostWrites,
      update: (_key, change) => {
        change(undefined);
        return Promise.reject(null);
      },
    };
    const first = openTab({ ...world, storage: aborting }, [silent], { drafts });
    await first.conversation.start();
    void first.conversation.send('Hi');
    await world.clock.advance(1_000);
    first.conversation.suspend();
    const second = openTab(world, [], { drafts });
    await second.conversation.start();
    assert.equal(second.store.state.draft, 'Hi');
  });

  it('does not repeat a message whose write was completed', async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const first = openTab(world, [silent], { drafts });
    await first.conversation.start();
    void first.conversation.send('Hi');
    // The page knows only later that the write is complete.
    first.conversation.suspend();
    await settle();
    const second = openTab(world, [], { drafts });
    await second.conversation.start();
    const texts = [...transcript(second.conversation), second.store.state.draft].filter((text) => text.includes('Hi'));
    assert.equal(texts.length, 1);
  });
});

describe('A page that returns from the browser’s cache', () => {
  /** Opens the next page of a tab whose first page was left with a text in the composer. */
  const leaveWithText = async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const first = openTab(world, [], { drafts });
    await first.conversation.start();
    first.conversation.setDraft('Typed');
    first.conversation.suspend();
    const next = openTab(world, [streamed(started())], { drafts });
    await next.conversation.start();
    return { first, next };
  };

  const leaveAndReturn = async (onNextPage: (next: ReturnType<typeof openTab>) => Promise<unknown> | void) => {
    const { first, next } = await leaveWithText();
    assert.equal(next.store.state.draft, 'Typed');
    await onNextPage(next);
    await settle();
    next.conversation.suspend();
    await first.conversation.resume(true);
    assert.equal(first.store.state.status, 'ready');
    return first.store.state.draft;
  };

  it('shows what the visitor has typed on the next page of the tab', async () => {
    assert.equal(await leaveAndReturn(({ conversation }) => conversation.setDraft('Changed')), 'Changed');
    assert.equal(await leaveAndReturn(({ conversation }) => conversation.setDraft('')), '');
  });

  it('keeps its own where nothing was changed', async () => {
    assert.equal(await leaveAndReturn(() => {}), 'Typed');
  });

  it('does not show what was sent there, nor what was erased', async () => {
    assert.equal(await leaveAndReturn(({ conversation }) => conversation.sendDraft()), '');
    assert.equal(await leaveAndReturn(({ conversation }) => conversation.reset()), '');
  });

  it('keeps what is typed while the record is read, behind what the visitor has typed on the next page', async () => {
    for (const [typedThere, expected] of [
      ['Typed', 'Typed here'],
      ['Changed', 'Changed\n\n here'],
    ] as const) {
      const drafts = createDrafts();
      const world = createWorld();
      const { storage } = world;
      let reading = Promise.resolve();
      world.storage = {
        load: (key) => reading.then(() => storage.load(key)),
        update: (key, change) => storage.update(key, change),
        keys: () => storage.keys(),
      };
      const first = openTab(world, [], { drafts });
      await first.conversation.start();
      first.conversation.setDraft('Typed');
      first.conversation.suspend();
      const next = openTab(world, [], { drafts });
      await next.conversation.start();
      next.conversation.setDraft(typedThere);
      next.conversation.suspend();
      let read = () => {};
      reading = new Promise((resolve) => {
        read = resolve;
      });
      const returned = first.conversation.resume(true);
      await settle();
      first.conversation.setDraft('Typed here');
      read();
      await returned;
      assert.equal(first.store.state.draft, expected);
    }
  });

  it('leaves the text of a visitor who has signed in on the next page to that page', async () => {
    const { first, next } = await leaveWithText();
    next.conversation.setContact(person('amal'), true);
    await settle();
    next.conversation.sendDraft();
    await settle();
    next.conversation.setDraft('Half a thought');
    next.conversation.suspend();
    for (let visits = 0; visits < 2; visits++) {
      await first.conversation.resume(true);
      assert.equal(first.store.state.status, 'locked');
      first.conversation.setDraft(`Typed ${visits}`);
      first.conversation.suspend();
      await next.conversation.resume(true);
      assert.equal(next.store.state.draft, 'Half a thought');
      next.conversation.suspend();
    }
  });

  it('keeps its own where nothing can be saved', async () => {
    const first = openTab(createWorld());
    await first.conversation.start();
    first.conversation.setDraft('Typed');
    first.conversation.suspend();
    await first.conversation.resume(true);
    assert.equal(first.store.state.draft, 'Typed');
  });
});

describe('A message that is sent while the reply before it is being saved', () => {
  /** Sends a message, and another one as soon as the reply has arrived, which takes the storage long to save. */
  const sendBoth = async () => {
    const storage = new SlowStorage();
    const world = { ...createWorld(), storage };
    const drafts = createDrafts();
    const tab = openTab(world, [streamed(started()), streamed(started())], { drafts });
    void tab.conversation.start();
    void tab.conversation.send('One');
    const hasReply = () => transcript(tab.conversation).some((line) => line.startsWith('ai'));
    for (let step = 0; step < 50 && !hasReply(); step++) await storage.step();
    assert.ok(hasReply());
    void tab.conversation.send('Two');
    await settle();
    return { ...tab, drafts, storage, world };
  };

  it('is not sent when the page is left, and is shown in the next page', async () => {
    const { conversation, drafts, service, storage, world } = await sendBoth();
    conversation.suspend();
    assert.equal(transcript(conversation).at(-1), 'visitor unsent: Two');
    await storage.speedUp();
    assert.equal(service.calls.length, 1);
    const next = openTab(world, [], { drafts });
    await next.conversation.start();
    const shown = [...transcript(next.conversation), next.store.state.draft];
    assert.equal(shown.filter((text) => text.includes('Two')).length, 1, shown.join(' | '));
  });

  it('returns to the composer when the visitor stops it', async () => {
    const { conversation, service, storage, store } = await sendBoth();
    conversation.stop();
    assert.equal(store.state.draft, 'Two');
    await storage.speedUp();
    assert.equal(service.calls.length, 1);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: One', 'ai whole: Hello there']);
  });

  it('is sent once the reply is saved', async () => {
    const { conversation, service, storage } = await sendBoth();
    await storage.speedUp();
    assert.equal(service.calls.length, 2);
    assert.ok(transcript(conversation).includes('visitor confirmed: Two'));
  });
});

describe('A page that is left before an identified visitor has sent anything', () => {
  /** Types a text as Amal, and opens the next page of the tab. */
  const openNext = async (world = createWorld()) => {
    const drafts = createDrafts();
    const first = openTab(world, [], { drafts });
    first.conversation.setContact(person('amal'));
    await first.conversation.start();
    await settle();
    first.conversation.setDraft('Half a thought');
    first.conversation.suspend();
    await settle();
    return openTab(world, [], { drafts });
  };

  it('returns the text to the composer of the next page', async () => {
    const { conversation, store } = await openNext();
    conversation.setContact(person('amal'));
    await conversation.start();
    await settle();
    assert.equal(store.state.draft, 'Half a thought');
  });

  it('returns it when the visitor is known after the record was read', async () => {
    const { conversation, store } = await openNext();
    await conversation.start();
    assert.equal(store.state.draft, '');
    conversation.setContact(person('amal'));
    await settle();
    assert.equal(store.state.draft, 'Half a thought');
  });

  it('returns it where nothing can be stored', async () => {
    const fail = () => Promise.reject(new Error('The storage is gone.'));
    const world = createWorld();
    const next = await openNext({ ...world, storage: { load: fail, update: fail, keys: fail } });
    next.conversation.setContact(person('amal'));
    await next.conversation.start();
    await settle();
    assert.equal(next.store.state.draft, 'Half a thought');
  });

  for (const isStarted of [false, true])
    it(`shows it to no visitor who replaces them, ${isStarted ? 'after' : 'before'} the record was read`, async () => {
      const { conversation, store } = await openNext();
      const seen = new Set<string>();
      store.subscribe(({ draft }) => seen.add(draft));
      if (isStarted) await conversation.start();
      conversation.setContact(person('amal'));
      conversation.setContact(person('badr'));
      await conversation.start();
      await settle();
      assert.deepEqual([...seen].join(''), '');
    });
});

describe('A page whose proof of identity never arrives', () => {
  it('returns the text to the composer on Stop, and sends nothing later', async () => {
    const world = createWorld();
    const { contact, prove } = slowProof();
    const { conversation, service, store } = openTab(world, [streamed(started())]);
    await conversation.start();
    conversation.setContact(contact);
    void conversation.send('Hi');
    await settle();
    conversation.stop();
    prove(person('amal'));
    await settle();
    assert.equal(service.calls.length, 0);
    assert.equal(store.state.draft, 'Hi');
    assert.deepEqual(transcript(conversation), []);
  });
});

describe('The first message of an identified visitor', () => {
  it('belongs to that visitor as soon as it is sent', async () => {
    const world = createWorld();
    const one = openTab(world, [silent]);
    await one.conversation.start();
    one.conversation.setContact(person('amal'));
    void one.conversation.send('secret');
    while (one.service.calls.length === 0) await settle();
    const other = openTab({ ...createWorld(), storage: world.storage, clock: world.clock });
    await other.conversation.start();
    await settle();
    assert.deepEqual(transcript(other.conversation), []);
    assert.equal(other.store.state.status, 'locked');
  });
});
