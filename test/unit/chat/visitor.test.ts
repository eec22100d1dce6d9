import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContactProof } from '../../../contract/wire.ts';
import type { ConversationOptions } from '../../../src/chat/conversation-options.ts';
import type { Conversation } from '../../../src/chat/conversation.ts';
import type { Contact } from '../../../src/chat/identity.ts';
import { GuardedStorage } from '../../../src/chat/storage/storage.ts';
import {
  createDrafts,
  createWorld,
  finish,
  holdNews,
  openTab,
  person,
  slowProof,
  storedRecord,
  tabWith,
  transcript,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { hashAtOnce } from '../../support/fakes/hashes.ts';
import { started, streamed } from '../../support/fakes/fake-service.ts';

hashAtOnce();

const secret = ['visitor confirmed: secret', 'ai whole: Hello there'];

/** Stores a conversation of Amal, reloads the page, and records every state. */
const reloadAfterAmal = async () => {
  const world = createWorld();
  const before = openTab(world, [streamed(started())]);
  await before.conversation.start();
  before.conversation.setContact(person('amal'));
  await before.conversation.send('secret');
  before.conversation.dispose();
  await world.clock.advance(0);
  const own = started({ conversation_id: 'cnv_2', message: { id: 'msg_2', role: 'assistant', content: 'Welcome' } });
  const drafts = createDrafts();
  const tab = openTab(world, [streamed(own)], { drafts });
  let isSeen = false;
  tab.store.subscribe(({ messages }) => {
    isSeen ||= messages.some((message) => message.role === 'user' && message.text === 'secret');
  });
  const continued = () =>
    tab.service.calls.map(({ body }) => (body as { conversation_id?: string }).conversation_id ?? null);
  return { ...tab, ...world, drafts, isSeen: () => isSeen, continued };
};

describe('The conversation of an identified visitor', () => {
  for (const [who, proof] of [
    ['somebody else', person('badr')],
    ['nobody', null],
  ] as const) {
    it(`is never shown to ${who}, who sends a message before the proof has arrived`, async () => {
      const { conversation, store, clock, isSeen, continued } = await reloadAfterAmal();
      const { contact, prove } = slowProof();
      conversation.setContact(contact);
      await conversation.start();
      const sending = conversation.send('Hi');
      await clock.advance(2_000);
      assert.equal(store.state.status, 'locked');
      assert.deepEqual(transcript(conversation), ['visitor unsent: Hi']);
      prove(proof);
      await sending;
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Welcome']);
      assert.deepEqual(continued(), [null]);
      assert.ok(!isSeen());
    });
  }

  it('is restored for that visitor, who sends a message before the proof has arrived', async () => {
    const { conversation, clock, isSeen, continued } = await reloadAfterAmal();
    const { contact, prove } = slowProof();
    conversation.setContact(contact);
    await conversation.start();
    const sending = conversation.send('Hi');
    await clock.advance(2_000);
    assert.ok(!isSeen());
    prove(person('amal'));
    await sending;
    assert.deepEqual(transcript(conversation), [...secret, 'visitor confirmed: Hi', 'ai whole: Welcome']);
    assert.deepEqual(continued(), ['cnv_1']);
  });

  it('is restored beside a message that was sent before the proof, whose page was left', async () => {
    const { conversation, storage, clock, drafts } = await reloadAfterAmal();
    conversation.setContact(slowProof().contact);
    await conversation.start();
    void conversation.send('Hi');
    await clock.advance(2_000);
    conversation.suspend();
    const after = openTab({ ...createWorld(), storage, clock }, [], { drafts });
    after.conversation.setContact(person('amal'));
    await after.conversation.start();
    while (after.store.state.status !== 'ready') await settle();
    assert.deepEqual(transcript(after.conversation), secret);
    assert.equal(after.store.state.draft, 'Hi');
  });
});

describe('A contact that proves no identity', () => {
  for (const [what, contact, told] of [
    ['names no user', async () => ({ token: null }) as unknown as ContactProof, /The contact names no user/],
    ['is rejected', () => Promise.reject(new Error('HTTP 500')), /HTTP 500/],
  ] as const)
    it(`tells the page why a message was not sent when it ${what}`, async (context) => {
      const warn = context.mock.method(console, 'warn', () => {});
      const { conversation } = await tabWith(createWorld());
      conversation.setContact(contact);
      await conversation.send('Hi');
      assert.deepEqual(transcript(conversation), ['visitor unsent: Hi']);
      assert.equal(warn.mock.callCount(), 1);
      assert.match(String(warn.mock.calls[0]!.arguments[1]), told);
    });
});

describe('A contact function that changes the contact itself', () => {
  it('does not prove an outdated visitor', async () => {
    const world = createWorld();
    const { conversation } = await tabWith(world, streamed(started()));
    conversation.setContact(async () => person('amal'), true);
    await conversation.send('secret');
    conversation.setContact(async () => {
      conversation.setContact(person('amal'), true);
      return person('badr');
    }, true);
    await settle();
    assert.deepEqual(transcript(conversation), secret);
  });
});

describe('The next visitor of tabs without a stored conversation', () => {
  const amal = async () => person('amal');
  const badr = async () => person('badr');

  const openWorld = () => {
    const world = createWorld();
    const signIn = async (conversation: Conversation, contact: Contact) => {
      conversation.setContact(contact, true);
      await world.clock.advance(0);
    };
    const open = async (contact: Contact, options: Partial<ConversationOptions> = {}) => {
      // The conversations are stored in memory only, where a tab cannot see that of another one.
      const storage = new GuardedStorage(null, world.clock, () => {}, world.storage);
      const { conversation } = openTab(world, [streamed(started())], { storage, ...options });
      conversation.setContact(contact);
      await conversation.start();
      return conversation;
    };
    return { world, open, signIn };
  };

  it('erases what another tab has of the visitor before', async () => {
    const { open, signIn } = openWorld();
    const one = await open(amal);
    await one.send('secret');
    assert.deepEqual(transcript(one), secret);
    await signIn(await open(amal), badr);
    assert.deepEqual(transcript(one), []);
  });

  for (const draft of ['', 'of amal'])
    it(`keeps what they have in another tab when this one learns late who they are, with the draft “${draft}”`, async () => {
      const { open, signIn } = openWorld();
      const one = await open(amal);
      const two = await open(amal);
      await signIn(two, badr);
      await two.send('secret');
      one.setDraft(draft);
      await signIn(one, badr);
      assert.equal(one.store.state.draft, '');
      assert.deepEqual(transcript(two), secret);
    });

  for (const isProven of [false, true])
    it(`keeps what they have typed in another tab, which was reloaded, when this one learns late who they are${isProven ? ', also while they are proven again' : ''}`, async () => {
      const { open, signIn } = openWorld();
      const one = await open(amal);
      await one.send('secret');
      const drafts = createDrafts();
      const before = await open(badr, { drafts });
      before.setDraft('of badr');
      await signIn(before, badr);
      before.suspend();
      const { contact } = slowProof();
      const after = await open(isProven ? badr : contact, { drafts });
      if (isProven) await signIn(after, badr);
      assert.equal(after.store.state.draft, isProven ? 'of badr' : '');
      await signIn(after, contact);
      await signIn(one, badr);
      // The page crashes.
      const last = await open(badr, { drafts });
      await signIn(last, badr);
      assert.equal(last.store.state.draft, 'of badr');
    });

  it('keeps what they have typed before the tab was reloaded, when another contact function replaces one of the visitor before', async () => {
    const { world, open, signIn } = openWorld();
    const drafts = createDrafts();
    const before = await open(badr, { drafts });
    before.setDraft('of badr');
    await signIn(before, badr);
    before.suspend();
    before.dispose();
    const after = await open(amal, { drafts });
    await after.send('secret');
    after.setContact(async () => person('badr'));
    await world.clock.advance(120_000);
    assert.deepEqual(transcript(after), []);
    assert.equal(after.store.state.draft, 'of badr');
  });
});

describe('The next visitor of a tab that has not learned of their conversation in another one', () => {
  for (const isErased of [false, true])
    it(`continues that conversation${isErased ? ' unless they have erased it meanwhile' : ''}`, async () => {
      const world = createWorld();
      holdNews(world);
      const one = openTab(world);
      one.conversation.setContact(async () => person('amal'));
      await one.conversation.start();
      const two = openTab(world, [streamed(started())]);
      await two.conversation.start();
      two.conversation.setContact(async () => person('badr'), true);
      await two.conversation.send('secret');
      two.conversation.dispose();
      // The record is erased after the number.
      if (isErased) world.erasures.set('key', { count: 1, note: null });
      one.conversation.setContact(async () => person('badr'), true);
      await finish(world);
      assert.deepEqual(transcript(one.conversation), isErased ? [] : secret);
      assert.equal((await storedRecord(world))?.messages.length, isErased ? undefined : secret.length);
    });
});
