/** One visitor after another, in combinations of tabs, storages and the time at which the record is read. */
import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import {
  createWorld,
  openTab,
  person,
  slowProof,
  storedRecord,
  tabWith,
  transcript,
  type World,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { openStream, response, started, streamed } from '../../support/fakes/fake-service.ts';
import { hold } from '../../support/fakes/stored-browser.ts';

const hour = 3_600_000;
const secret = ['visitor confirmed: secret', 'ai whole: Hello there'];

/** Counts the hashes that the browser's cryptography has not finished. It is the only clock here that the test does not control. */
const countHashes = (): { isHashing: () => boolean } => {
  const { subtle } = globalThis.crypto;
  const digest = subtle.digest.bind(subtle);
  let count = 0;
  mock.method(subtle, 'digest', async (...given: Parameters<typeof digest>) => {
    count++;
    return digest(...given).finally(() => void count--);
  });
  return { isHashing: () => count > 0 };
};

/** Returns a function that settles when nothing is in progress, not even a hash. Call it before the first one. */
const settlerOf = ({ clock }: World) => {
  const { isHashing } = countHashes();
  return async () => {
    do {
      await clock.advance(10);
      await settle();
    } while (isHashing());
  };
};

describe('A message that is sent before the record has been read', () => {
  it('is kept when the page has erased the record and replaced the element just before', async () => {
    const world = createWorld();
    const before = await tabWith(world);
    const { held, release } = hold(world.storage);
    void before.conversation.reset();
    before.conversation.dispose();
    const { conversation } = openTab({ ...world, storage: held }, [streamed(started())]);
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
});

describe('Visitors whose contact functions replace each other before the first one has returned', () => {
  afterEach(() => mock.restoreAll());

  const identified = async (...names: string[]) => {
    const world = createWorld();
    const { conversation } = await tabWith(world, streamed(started()));
    await conversation.send('secret');
    const { isHashing } = countHashes();
    for (const name of names) conversation.setContact(async () => person(name), true);
    let owner: string | null | undefined;
    do {
      await world.clock.advance(0);
      await settle();
      owner = (await storedRecord(world))?.owner;
    } while (isHashing() || conversation.store.state.status !== 'ready' || owner === null);
    return transcript(conversation);
  };

  it('never share a conversation', async () => {
    assert.deepEqual(await identified('amal', 'badr'), []);
    assert.deepEqual(await identified('amal', 'badr', 'amal'), []);
    assert.deepEqual(await identified('amal', 'badr', 'badr'), []);
  });

  it('keep their conversation when they are one person', async () => {
    assert.deepEqual(await identified('amal', 'amal'), secret);
  });
});

describe('A tab that learns late who is signed in', () => {
  afterEach(() => mock.restoreAll());

  for (const [before, after] of [
    ['', ''],
    ['', 'for Amal'],
    ['for Amal', ''],
  ] as const)
    it(`shows the conversation of the next visitor, who has it in another tab, after “${before}” and then “${after}” was typed`, async () => {
      const world = createWorld();
      const one = (await tabWith(world)).conversation;
      const two = (await tabWith(world, streamed(started()))).conversation;
      const settleAll = settlerOf(world);
      one.setContact(async () => person('amal'));
      one.setDraft(before);
      await settleAll();
      two.setContact(async () => person('badr'), true);
      await two.send('secret');
      await settleAll();
      assert.equal(one.store.state.status, 'locked');
      one.setDraft(before + after);
      one.setContact(async () => person('badr'), true);
      await settleAll();
      assert.deepEqual(transcript(one), secret);
      assert.deepEqual(transcript(two), secret);
      assert.equal(one.store.state.draft, '');
      one.setContact(async () => person('amal'), true);
      await settleAll();
      assert.deepEqual(transcript(one), []);
      assert.equal(one.store.state.draft, before + after);
    });
});

describe('What the next visitor writes while the proof of the one before is pending', () => {
  afterEach(() => mock.restoreAll());

  for (const how of ['types', 'sends'])
    it(`is theirs alone when the next visitor ${how} it`, async () => {
      const world = createWorld();
      const settleAll = settlerOf(world);
      const one = (await tabWith(world)).conversation;
      const two = (await tabWith(world, streamed(started()))).conversation;
      const { contact, prove } = slowProof();
      one.setContact(contact);
      two.setContact(async () => person('badr'), true);
      await two.send('secret');
      await settleAll();
      one.setDraft('by Amal');
      one.setContact(async () => person('badr'), true);
      await settleAll();
      if (how === 'types') one.setDraft('by Amal and Badr');
      else void one.send('Badr');
      prove(person('amal'));
      await settleAll();
      assert.deepEqual(transcript(one), secret);
      assert.equal(one.store.state.draft.trim(), how === 'types' ? 'and Badr' : 'Badr');
      one.setContact(async () => person('amal'), true);
      await settleAll();
      assert.equal(one.store.state.draft, 'by Amal');
    });
});

describe('A page that knows that nobody is signed in', () => {
  afterEach(() => mock.restoreAll());

  it('has the conversation of a customer erased that is read later', async () => {
    const world = createWorld();
    const settleAll = settlerOf(world);
    const before = (await tabWith(world, streamed(started()))).conversation;
    before.setContact(person('amal'), true);
    await settleAll();
    await before.send('secret');
    await settleAll();
    before.dispose();
    await settleAll();
    const { conversation } = openTab(world);
    conversation.setContact(null, true);
    await conversation.start();
    await settleAll();
    assert.equal(conversation.store.state.status, 'ready');
    assert.equal(await storedRecord(world), null);
  });
});

describe('An anonymous conversation beside a tab with a verified visitor', () => {
  afterEach(() => mock.restoreAll());

  for (const [who, contactOf] of [
    [
      'has left',
      (session: { name: string | null }) => async () => (session.name === null ? null : person(session.name)),
    ],
    ['stays signed in there', () => person('amal')],
  ] as const)
    for (const hasWritten of [true, false])
      it(`stays with its visitor when the other one ${who}, and ${hasWritten ? 'has written before' : 'has written nothing'}`, async () => {
        const world = createWorld();
        const settleAll = settlerOf(world);
        const one = (await tabWith(world, streamed(started()))).conversation;
        const session: { name: string | null } = { name: 'amal' };
        one.setContact(contactOf(session), true);
        if (hasWritten) await one.send('from Amal');
        await settleAll();
        session.name = null;
        const reply = (id: string) => ({ ...started().message!, id, content: `Reply ${id}` });
        const two = await tabWith(
          world,
          streamed(started({ conversation_id: 'cnv_2', message: reply('msg_2') })),
          streamed(response({ conversation_id: 'cnv_2', message: reply('msg_3') })),
        );
        for (const text of ['Hi', 'Again']) {
          await two.conversation.send(text);
          await settleAll();
        }
        const expected = [
          'visitor confirmed: Hi',
          'ai whole: Reply msg_2',
          'visitor confirmed: Again',
          'ai whole: Reply msg_3',
        ];
        assert.deepEqual(transcript(two.conversation), expected);
        assert.equal(two.service.calls[1]!.body['conversation_id'], 'cnv_2');
        await world.clock.advance(60_000);
        await settleAll();
        assert.equal((await storedRecord(world))!.owner, null);
        assert.deepEqual(transcript(two.conversation), expected);
      });
});

describe('A conversation that is locked in one tab, and expires', () => {
  afterEach(() => mock.restoreAll());

  it('leaves nothing in the next one, which its owner begins in another tab', async () => {
    const world = createWorld();
    const one = (await tabWith(world)).conversation;
    const stream = openStream();
    const next = { ...started().message!, id: 'msg_2', content: 'Hello again' };
    const replies = [stream.reply, streamed(started({ conversation_id: 'cnv_2', message: next }))];
    const two = (await tabWith(world, ...replies)).conversation;
    const settleAll = settlerOf(world);
    void two.send('Hi');
    await settleAll();
    two.setContact(person('badr'), true);
    await settleAll();
    stream.write('done', started());
    stream.end();
    await settleAll();
    assert.equal(one.store.state.status, 'locked');
    await world.clock.advance(25 * hour);
    await two.send('Again');
    await settleAll();
    assert.deepEqual(transcript(one), []);
    one.setContact(person('badr'), true);
    await settleAll();
    const expected = ['notice: restarted', 'visitor confirmed: Again', 'ai whole: Hello again'];
    for (const { store } of [one, two]) assert.deepEqual(transcript({ store }), expected);
  });
});

describe('A reply that streams while the page changes its contact', () => {
  it('does not keep the chat busy for ever when no contact proves an identity', async () => {
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
});

describe('A conversation that begins after an expired one', () => {
  it('is shown in every tab, whether it still has the expired one, has noticed its end, or has begun after it', async () => {
    const world = createWorld();
    const one = (await tabWith(world, streamed(started()))).conversation;
    await one.send('Hi');
    await world.clock.advance(25 * hour);
    const two = (await tabWith(world)).conversation;
    assert.deepEqual(transcript(two), ['notice: restarted']);
    const reply = (id: string) => ({ ...started().message!, id, content: `Reply ${id}` });
    const first = started({ conversation_id: 'cnv_2', message: reply('msg_2') });
    const second = response({ conversation_id: 'cnv_2', message: reply('msg_3') });
    const three = (await tabWith(world, streamed(first), streamed(second))).conversation;
    for (const text of ['New', 'Next']) {
      await three.send(text);
      await world.clock.advance(1_000);
      await settle();
    }
    const expected = [
      'notice: restarted',
      'visitor confirmed: New',
      'ai whole: Reply msg_2',
      'visitor confirmed: Next',
      'ai whole: Reply msg_3',
    ];
    for (const { store } of [one, two, three]) assert.deepEqual(transcript({ store }), expected);
  });

  it('keeps its messages when another tab reads the record before the reply', async () => {
    const world = createWorld();
    const one = await tabWith(world, streamed(started()));
    await one.conversation.send('Hi');
    await world.clock.advance(25 * hour);
    const stream = openStream();
    const two = await tabWith(world, stream.reply);
    void two.conversation.send('Again');
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
    const expected = ['notice: restarted', 'visitor confirmed: Again', 'ai whole: Hello again'];
    assert.deepEqual(transcript(two.conversation), expected);
    const three = await tabWith(world);
    assert.deepEqual(transcript(three.conversation), expected);
  });
});

describe('A contact function that the page replaces when it renders again', () => {
  it('is called half a minute after the last one, whatever happens to the clock of the device', async () => {
    const world = createWorld();
    const { conversation } = await tabWith(world, streamed(started()));
    let calls = 0;
    const contact = () => async () => {
      calls++;
      return person('amal');
    };
    conversation.setContact(contact());
    await conversation.send('Hi');
    assert.equal(calls, 1);
    world.clock.shift(-3_600_000);
    conversation.setContact(contact());
    await world.clock.advance(30_000);
    assert.equal(calls, 2);
  });
});
