/** A timeout decides what is shown, never what is true. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Conversation } from '../../../src/chat/conversation.ts';
import {
  createDrafts,
  createWorld,
  openTab,
  person,
  storedRecord,
  tabWith,
  transcript,
} from '../../support/fakes/conversation.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';
import { refusal, response, started, streamed } from '../../support/fakes/fake-service.ts';
import { hold } from '../../support/fakes/stored-browser.ts';

const hour = 3_600_000;
const earlier = ['visitor confirmed: Earlier', 'ai whole: Hello there'];
const proof = person('amal');

/** A world with a stored conversation, whose storage responds when it is released. */
const storeConversation = async (contact: typeof proof | null = null) => {
  const world = createWorld();
  const before = await tabWith(world, streamed(started()));
  if (contact) before.conversation.setContact(contact);
  await before.conversation.send('Earlier');
  before.conversation.dispose();
  await settle();
  const { held, release } = hold(world.storage);
  return { world, slowWorld: { ...world, storage: held }, release };
};

describe('Drafts whose number only the record has, because the page has cleared localStorage', () => {
  for (const [what, use, draft] of [
    ['the visitor types', (conversation: Conversation) => conversation.setDraft('more'), 'Half a thought\n\nmore'],
    ['the visitor is proven', (conversation: Conversation) => conversation.setContact(proof, true), 'Half a thought'],
  ] as const)
    it(`stay, and are shown once, when ${what} before the record is read`, async () => {
      const { world, slowWorld, release } = await storeConversation();
      const drafts = createDrafts();
      const before = openTab(world, [streamed(started())], { drafts });
      await before.conversation.start();
      await before.conversation.reset();
      await before.conversation.send('Earlier');
      before.conversation.setDraft('Half a thought');
      before.conversation.suspend();
      world.erasures.set('key', { count: 0, note: null });
      const { conversation, store } = openTab(slowWorld, [], { drafts });
      void conversation.start();
      use(conversation);
      await world.clock.advance(10);
      release();
      await world.clock.advance(2_000);
      assert.equal(store.state.draft, draft);
      assert.deepEqual(transcript(conversation), earlier);
    });
});

describe('A record that is read after its timeout', () => {
  it('is shown when it arrives, and its conversation continues', async () => {
    const { world, slowWorld, release } = await storeConversation();
    const { conversation, service, store } = openTab(slowWorld, [streamed(response())]);
    void conversation.start();
    conversation.setDraft('Half a thought');
    await world.clock.advance(1_000);
    assert.equal(store.state.status, 'ready');
    assert.deepEqual(transcript(conversation), []);
    release();
    await world.clock.advance(10);
    assert.deepEqual(transcript(conversation), earlier);
    assert.equal(store.state.draft, 'Half a thought');
    await conversation.send('More');
    assert.equal(service.calls[0]!.body.conversation_id, 'cnv_1');
  });

  it('is merged with a conversation that has begun meanwhile, which a reload does not lose', async () => {
    const { world, slowWorld, release } = await storeConversation();
    const next = started({ conversation_id: 'cnv_2', message: { id: 'msg_2', role: 'assistant', content: 'Welcome' } });
    const { conversation } = openTab(slowWorld, [streamed(next)]);
    void conversation.start();
    const sent = conversation.send('Meanwhile');
    await world.clock.advance(20_000);
    await sent;
    release();
    await world.clock.advance(2_000);
    const both = [...earlier, 'visitor confirmed: Meanwhile', 'ai whole: Welcome'];
    assert.deepEqual(transcript(conversation), both);
    const after = await tabWith(world);
    assert.deepEqual(transcript(after.conversation), both);
    assert.equal(after.store.state.conversationId, 'cnv_2');
  });

  it('stays hidden when it belongs to an owner who is not proven', async () => {
    const { world, slowWorld, release } = await storeConversation(proof);
    const { conversation, store } = openTab(slowWorld);
    void conversation.start();
    conversation.setDraft('of a stranger');
    await world.clock.advance(1_000);
    release();
    await world.clock.advance(2_000);
    assert.equal(store.state.status, 'locked');
    assert.deepEqual(transcript(conversation), []);
    assert.equal(store.state.draft, 'of a stranger');
    assert.equal((await storedRecord(world))?.messages.length, 2);
  });

  it('is erased when it belongs to another visitor than the conversation that has begun meanwhile', async () => {
    const { world, slowWorld, release } = await storeConversation(proof);
    const { conversation } = openTab(slowWorld, [streamed(started({ conversation_id: 'cnv_2' }))]);
    void conversation.start();
    const sent = conversation.send('of a stranger');
    await world.clock.advance(20_000);
    await sent;
    release();
    await world.clock.advance(10_000);
    const own = ['visitor confirmed: of a stranger', 'ai whole: Hello there'];
    assert.deepEqual(transcript(conversation), own);
    const after = await tabWith(world);
    assert.deepEqual(transcript(after.conversation), own);
  });

  it('does not end a conversation that has begun meanwhile when it belongs to another visitor', async () => {
    const { world, slowWorld, release } = await storeConversation(proof);
    const replies = [streamed(started({ conversation_id: 'cnv_2' })), streamed(response())];
    const { conversation, service } = openTab(slowWorld, replies);
    void conversation.start();
    void conversation.send('of a stranger');
    await world.clock.advance(20_000);
    release();
    await world.clock.advance(10_000);
    void conversation.send('More');
    await world.clock.advance(10_000);
    assert.equal(service.calls[1]!.body.conversation_id, 'cnv_2');
    assert.equal((await storedRecord(world))?.conversationId, 'cnv_2');
  });
});

describe('A conversation that began while the clock was ahead', () => {
  it('is not lost when the clock is corrected', async () => {
    const world = createWorld();
    const clock = new FakeClock(world.clock.now() + 30 * hour);
    const ahead = openTab({ ...world, clock }, [streamed(started())]);
    await ahead.conversation.start();
    await ahead.conversation.send('Earlier');
    ahead.conversation.dispose();
    await settle();
    const after = await tabWith(world, streamed(response()));
    assert.deepEqual(transcript(after.conversation), earlier);
    await after.conversation.send('More');
    await world.clock.advance(25 * hour);
    assert.deepEqual(transcript((await tabWith(world)).conversation), ['notice: restarted'], 'its day has passed');
  });
});

describe('A message that one tab has sent again', () => {
  it('is confirmed in the others, which do not send it a second time', async () => {
    const world = createWorld();
    const one = await tabWith(world, refusal(422, 'validation_error'));
    await one.conversation.send('Hi');
    await world.clock.advance(10);
    const two = await tabWith(world, streamed(started()));
    const { key } = two.store.state.messages[0]!;
    // Both are clicked before the tabs have heard of each other.
    await Promise.all([two.conversation.sendAgain(key), one.conversation.sendAgain(key)]);
    await world.clock.advance(2_000);
    assert.deepEqual([one.service.calls.length, two.service.calls.length], [1, 1]);
    for (const { conversation } of [one, two])
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

  it('is not marked as unsent on the disk by a tab that has not heard of it', async () => {
    const world = createWorld();
    const one = await tabWith(world, refusal(422, 'validation_error'));
    await one.conversation.send('Hi');
    await world.clock.advance(10);
    const two = openTab({ ...world, browser: createWorld().browser }, [refusal(422, 'validation_error')]);
    await two.conversation.start();
    one.service.add(streamed(started()));
    void one.conversation.sendAgain(one.store.state.messages[0]!.key);
    await world.clock.advance(20_000);
    await two.conversation.send('Another one');
    await world.clock.advance(2_000);
    const delivered = (await storedRecord(world))?.messages.find((each) => each.role === 'user' && each.text === 'Hi');
    assert.equal(delivered?.role === 'user' && delivered.delivery, 'confirmed');
  });
});

describe('The draft of a stranger', () => {
  it('does not replace the draft of the owner, who has typed in the same tab', async () => {
    const { world } = await storeConversation(proof);
    const drafts = createDrafts();
    const owner = openTab(world, [], { drafts });
    owner.conversation.setContact(proof);
    await owner.conversation.start();
    while (owner.store.state.status !== 'ready') await settle();
    owner.conversation.setDraft('of the owner');
    owner.conversation.suspend();
    const stranger = openTab(world, [], { drafts });
    await stranger.conversation.start();
    assert.equal(stranger.store.state.draft, '');
    stranger.conversation.setDraft('of a stranger');
    stranger.conversation.suspend();
    const again = openTab(world, [], { drafts });
    again.conversation.setContact(proof);
    await again.conversation.start();
    while (again.store.state.status !== 'ready') await settle();
    assert.equal(again.store.state.draft, 'of the owner\n\nof a stranger');
  });
});

describe('A turn of another tab', () => {
  it('that ends while the record is read is not waited for', async () => {
    const { world, slowWorld, release } = await storeConversation();
    let isBusy = true;
    let notify: (news: { type: 'free' }) => void = () => {};
    const { conversation, store } = openTab(slowWorld, [], {
      openTabs: (onNews) => {
        notify = onNews;
        return { ...world.browser.open(onNews), isBusy: async () => isBusy };
      },
    });
    const starting = conversation.start();
    await settle();
    isBusy = false;
    notify({ type: 'free' });
    release();
    await starting;
    assert.equal(store.state.isOtherTabBusy, false);
    assert.deepEqual(transcript(conversation), earlier);
  });
});
