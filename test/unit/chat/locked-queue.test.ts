/** Messages that wait behind a reply, in a conversation that is locked until the page proves the visitor's identity. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  createDrafts,
  createWorld,
  FakeBrowser,
  finish,
  openTab,
  person,
  slowProof,
  tabWith,
  transcript,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { hashAtOnce } from '../../support/fakes/hashes.ts';
import { openStream, response, started, streamed } from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';

hashAtOnce();

/**
 * Sends two messages of Amal, and locks the conversation when the first reply has arrived and is being saved, which takes long.
 * Returns a function that lets the page prove an identity.
 */
const lockWhileSaving = async () => {
  const storage = new SlowStorage();
  const world = { ...createWorld(), storage };
  const tab = openTab(world, [streamed(started()), streamed(response()), streamed(response())]);
  const { conversation } = tab;
  conversation.setContact(person('amal'));
  void conversation.start();
  await settle();
  void conversation.send('One');
  void conversation.send('Two');
  const hasReply = () => transcript(conversation).some((line) => line.startsWith('ai'));
  for (let step = 0; step < 50 && !hasReply(); step++) {
    await storage.step();
    await settle();
  }
  assert.ok(hasReply());
  const { contact, prove } = slowProof();
  conversation.setContact(contact, true);
  await settle();
  assert.equal(tab.store.state.status, 'locked');
  await storage.speedUp();
  return { ...tab, finish: () => finish(world), prove };
};

const texts = ({ service }: Awaited<ReturnType<typeof lockWhileSaving>>) =>
  service.calls.map(({ body }) => body.messages[0]!.content);

describe('A message that waits in a conversation that is locked', () => {
  it('is sent when the identity is proven, before one that was typed meanwhile', async () => {
    const tab = await lockWhileSaving();
    void tab.conversation.send('Three');
    tab.prove(person('amal'));
    await tab.finish();
    assert.deepEqual(texts(tab), ['One', 'Two', 'Three']);
    assert.deepEqual(tab.store.state.queued, []);
  });

  it('is erased when the page proves another visitor, whose own message is sent', async () => {
    const tab = await lockWhileSaving();
    void tab.conversation.send('Three');
    tab.prove(person('badr'));
    await tab.finish();
    assert.deepEqual(texts(tab), ['One', 'Three']);
    assert.deepEqual(transcript(tab.conversation)[0], 'visitor confirmed: Three');
    assert.deepEqual(tab.store.state.queued, []);
  });

  it('is not sent when the page proves nobody with the function that replaces the pending one', async () => {
    const tab = await lockWhileSaving();
    tab.conversation.setContact(async () => null);
    tab.prove(null);
    for (let count = 0; count < 12; count++) await tab.finish();
    void tab.conversation.send('Three');
    await tab.finish();
    assert.deepEqual(texts(tab), ['One', 'Three']);
  });

  it('is not sent when the page proves nobody, and can be sent again once it does', async () => {
    const tab = await lockWhileSaving();
    tab.prove(null);
    await tab.finish();
    assert.deepEqual(transcript(tab.conversation), []);
    tab.conversation.setContact(person('amal'));
    await tab.finish();
    assert.deepEqual(tab.store.state.queued, []);
    assert.equal(transcript(tab.conversation).at(-1), 'visitor unsent: Two');
    await tab.conversation.sendAgain(tab.store.state.messages.at(-1)!.key);
    assert.deepEqual(texts(tab), ['One', 'Two']);
  });
});

describe('A reply of a conversation that another tab has assigned to its visitor', () => {
  for (const who of [null, 'badr']) {
    it(`continues for the visitor who waits for it, ${who ? 'another' : 'an anonymous'} one`, async () => {
      const world = createWorld();
      const stream = openStream();
      const { conversation, service, store } = await tabWith(
        world,
        streamed(started()),
        stream.reply,
        streamed(started()),
      );
      let isSignedIn = false;
      if (who) conversation.setContact(async () => (isSignedIn ? person(who) : null));
      await conversation.send('One');
      void conversation.send('Two');
      await settle();
      const other = await tabWith(world);
      other.conversation.setContact(person('amal'));
      await finish(world);
      isSignedIn = true;
      stream.write('delta', { text: 'Well' });
      await finish(world);
      assert.equal(store.state.status, 'locked');
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Two']);
      void conversation.send('Three');
      stream.write('done', response());
      stream.end();
      await finish(world);
      assert.deepEqual(
        service.calls.map(({ body }) => body.messages[0]!.content),
        ['One', 'Two', 'Three'],
      );
    });
  }
});

describe('A message of a tab that learns only then of a sign-in in another tab', () => {
  for (const [who, expected] of [
    [null, ['visitor confirmed: Two', 'ai whole: Hello there']],
    ['badr', ['visitor confirmed: Two', 'ai whole: Hello there']],
    ['amal', ['visitor confirmed: One', 'ai whole: Hello there', 'visitor confirmed: Two', 'ai whole: Fine']],
  ] as const) {
    it(`is sent, with the draft behind it, when ${who ? `the page proves ${who}` : 'the visitor is anonymous'}`, async () => {
      const world = createWorld();
      const welcome =
        who === 'amal' ? response({ message: { id: 'msg_2', role: 'assistant', content: 'Fine' } }) : started();
      const { conversation, service, store } = await tabWith(world, streamed(started()), streamed(welcome));
      let isSignedIn = false;
      if (who) conversation.setContact(async () => (isSignedIn ? person(who) : null));
      await conversation.send('One');
      // This tab gets no news of the other one.
      const other = await tabWith({ ...world, browser: new FakeBrowser() });
      other.conversation.setContact(person('amal'));
      await finish(world);
      isSignedIn = true;
      void conversation.send('Two');
      conversation.setDraft('Half a thought');
      await finish(world);
      assert.equal(service.calls.length, 2);
      assert.deepEqual(transcript(conversation), expected);
      assert.equal(store.state.draft, 'Half a thought');
    });
  }
});

describe('An anonymous message that is sent after a sign-in in another tab', () => {
  for (const hasNews of [true, false]) {
    it(`erases nothing of the visitor there, ${hasNews ? 'with' : 'without'} news of it`, async () => {
      const world = createWorld();
      const { conversation, service, store } = await tabWith(world, streamed(started()), streamed(started()));
      await conversation.send('One');
      const other = await tabWith(
        hasNews ? world : { ...world, browser: new FakeBrowser() },
        streamed(response({ message: { id: 'msg_3', role: 'assistant', content: 'Fine' } })),
      );
      other.conversation.setContact(person('amal'));
      await finish(world);
      void conversation.send('Two');
      await finish(world);
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Two', 'ai whole: Hello there']);
      assert.equal(service.calls[1]!.body.conversation_id, undefined);
      await other.conversation.send('Three');
      await finish(world);
      const theirs = ['One', 'Hello there', 'Three', 'Fine'];
      assert.deepEqual(
        transcript(other.conversation).map((line) => line.replace(/^.*?: /, '')),
        theirs,
      );
      const { conversation: reloaded } = await tabWith(world);
      reloaded.setContact(person('amal'));
      await finish(world);
      assert.deepEqual(
        transcript(reloaded).map((line) => line.replace(/^.*?: /, '')),
        theirs,
      );
      // A logout erases the conversation of every tab, also in the one that goes on by itself.
      await (hasNews ? other.conversation : conversation).logout();
      await finish(world);
      assert.deepEqual(transcript(conversation), []);
      assert.equal(store.state.status, 'ready');
      assert.equal('startedAt' in ((await world.storage.load('key')) as object), false);
    });
  }
});

describe('A conversation that goes on beside the one of the visitor who has signed in in another tab', () => {
  /** Sends one message before the sign-in of Amal in the other tab, and one after it. */
  const leaveTheirs = async (drafts = createDrafts()) => {
    const world = createWorld();
    const texts = ['A', 'B', 'C', 'D'].map((content) => ({
      id: `msg_${content}`,
      role: 'assistant' as const,
      content,
    }));
    const [first, second, third, fourth] = texts.map((message, index) =>
      streamed(started({ conversation_id: `cnv_${index}`, conversation_token: `tok_${index}`, message })),
    );
    const own = openTab(world, [first!, second!, third!, fourth!], { drafts });
    await own.conversation.start();
    await own.conversation.send('One');
    const other = await tabWith(world);
    other.conversation.setContact(person('amal'));
    await finish(world);
    void own.conversation.send('Two');
    await finish(world);
    const stored = async () => (await world.storage.load('key')) as { owner?: string | null; conversationId?: string };
    return {
      world,
      own,
      other,
      stored,
      texts: (tab: typeof own) => transcript(tab.conversation).map((line) => line.replace(/^.*?: /, '')),
    };
  };

  it('is shown with theirs when the same visitor signs in here, and the stored conversation continues', async () => {
    const { world, own, other, stored, texts } = await leaveTheirs();
    own.conversation.setContact(person('amal'));
    await finish(world);
    assert.equal((await stored()).conversationId, 'cnv_0');
    for (const tab of [own, other]) assert.deepEqual(texts(tab), ['One', 'A', 'Two', 'B']);
    await own.conversation.send('Three');
    assert.equal(own.service.calls[2]!.body.conversation_id, 'cnv_0');
  });

  it('is not continued either when the record is read before it is written', async () => {
    const { world, own, stored } = await leaveTheirs();
    own.conversation.setContact(person('amal'));
    for (let count = 0; count < 3; count++) await settle();
    await own.conversation.resume();
    await finish(world);
    assert.equal((await stored()).conversationId, 'cnv_0');
    await own.conversation.send('Three');
    assert.equal(own.service.calls[2]!.body.conversation_id, 'cnv_0');
  });

  it('is over after 24 hours, and the next one is stored', async () => {
    const { world, own, stored } = await leaveTheirs();
    await world.clock.advance(25 * 3_600_000);
    await own.conversation.resume();
    assert.deepEqual(transcript(own.conversation), ['notice: restarted']);
    void own.conversation.send('Three');
    await finish(world);
    assert.equal(own.service.calls[2]!.body.conversation_id, undefined);
    assert.equal((await stored()).conversationId, 'cnv_2');
  });

  it('replaces theirs when another visitor signs in here', async () => {
    const { world, own, other, stored, texts } = await leaveTheirs();
    own.conversation.setContact(person('badr'));
    await finish(world);
    assert.deepEqual(texts(own), ['Two', 'B']);
    assert.deepEqual(texts(other), []);
    assert.equal((await stored()).conversationId, 'cnv_1');
    assert.ok((await stored()).owner);
    await own.conversation.send('Three');
    assert.equal(own.service.calls[2]!.body.conversation_id, 'cnv_1');
  });

  it('replaces theirs when another visitor signs in here, of whom this tab has a draft', async () => {
    const drafts = createDrafts();
    const owner = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('badr'))).toString('hex');
    const earlier = { text: 'Half a thought', unsaved: {}, begun: [], forms: {} };
    drafts.write({ erasureCount: 0, byOwner: { [owner]: earlier } });
    const { world, own, other, texts } = await leaveTheirs(drafts);
    own.conversation.setContact(person('badr'));
    await finish(world);
    assert.deepEqual(texts(own), ['Two', 'B']);
    assert.equal(own.store.state.draft, 'Half a thought');
    assert.deepEqual(texts(other), []);
  });

  it('replaces theirs when the page says that nobody is signed in', async () => {
    const { world, own, other, stored, texts } = await leaveTheirs();
    own.conversation.setContact(null, true);
    await finish(world);
    assert.deepEqual(texts(own), ['Two', 'B']);
    assert.deepEqual(texts(other).includes('One'), false);
    assert.deepEqual([(await stored()).conversationId, (await stored()).owner], ['cnv_1', null]);
    assert.equal(own.conversation.credentials?.conversationId, 'cnv_1');
  });
});

describe('A customer whom this tab has joined after the sign-in in another tab', () => {
  it('has their conversation erased when this page says later that nobody is signed in', async () => {
    const world = createWorld();
    const { conversation } = await tabWith(world, streamed(started()), streamed(started({ conversation_id: 'cnv_2' })));
    await conversation.send('One');
    const other = await tabWith(world);
    other.conversation.setContact(person('amal'));
    await finish(world);
    conversation.setContact(person('amal'), true);
    await finish(world);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: One', 'ai whole: Hello there']);
    conversation.setContact(async () => null, true);
    await finish(world);
    void conversation.send('Two');
    await finish(world);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Two', 'ai whole: Hello there']);
    assert.deepEqual(transcript(other.conversation).includes('visitor confirmed: One'), false);
    const stored = (await world.storage.load('key')) as { owner: string | null; conversationId: string };
    assert.deepEqual([stored.owner, stored.conversationId], [null, 'cnv_2']);
  });
});

describe('A visitor who writes while another tab signs in', () => {
  for (const hasNews of [true, false]) {
    it(`has every message sent once ${hasNews ? 'with' : 'without'} news of that tab`, async () => {
      const step = fc.tuple(fc.nat(12), fc.constantFrom('send', 'send', 'wait', 'sign-in', 'prove'));
      const who = fc.constantFrom(null, 'amal');
      await fc.assert(
        fc.asyncProperty(who, fc.array(step, { minLength: 3, maxLength: 12 }), async (name, steps) => {
          const storage = new SlowStorage();
          const world = { ...createWorld(), storage };
          const { conversation, service, store } = openTab(world);
          // The page proves nobody until the visitor has signed in.
          let isSignedIn = false;
          if (name) conversation.setContact(async () => (isSignedIn ? person(name) : null));
          void conversation.start();
          const sent: string[] = [];
          for (const [index, [time, action]] of steps.entries()) {
            for (let count = 0; count < time; count++) await storage.step();
            if (action === 'prove') isSignedIn = true;
            if (action === 'wait') await world.clock.advance(500);
            if (action === 'sign-in') {
              const other = openTab(hasNews ? world : { ...world, browser: new FakeBrowser() });
              void other.conversation.start();
              other.conversation.setContact(person('amal'));
            }
            if (action === 'send') {
              const fields = { message: { ...response().message!, id: `msg_${index}` } };
              service.add((call) =>
                streamed(
                  call.body.conversation_id
                    ? response(fields)
                    : started({ ...fields, conversation_id: `cnv_${index}` }),
                )(call),
              );
              sent.push(`text-${index}`);
              void conversation.send(`text-${index}`);
            }
            await world.clock.advance(1);
            if (index % 2) await settle();
          }
          await storage.speedUp();
          for (let count = 0; count < 8; count++) await finish(world);
          assert.deepEqual(
            service.calls.map(({ body }) => body.messages[0]!.content),
            sent,
          );
          assert.deepEqual([store.state.queued, store.state.turn.status], [[], 'idle']);
        }),
        { numRuns: process.env['IS_QUICK'] ? 50 : 200, seed: 7, includeErrorInReport: true },
      );
    });
  }
});
