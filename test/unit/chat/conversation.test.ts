import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createDrafts,
  createWorld,
  openTab,
  transcript,
  storedRecord,
  tabWith,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { json, openStream, response, started, streamed, type FakeResponse } from '../../support/fakes/fake-service.ts';

describe('A turn', () => {
  it('shows the reply while it streams, and stores the credentials before it is done', async () => {
    const world = createWorld();
    const stream = openStream();
    const { conversation, store, service } = await tabWith(world, stream.reply);
    const sent = conversation.send('  Hi ');
    await settle();
    assert.equal(store.state.turn.status, 'streaming');
    stream.write('delta', { text: 'Hello ' });
    stream.write('delta', { text: 'there' });
    await settle();
    assert.equal(store.state.turn.status === 'streaming' && store.state.turn.reply.text, 'Hello there');
    let tokenWhenDone: unknown;
    store.subscribe(async (_state, { type }) => {
      if (type === 'reply-ended') tokenWhenDone = (await storedRecord(world))?.conversationToken;
    });
    stream.write('done', started());
    await sent;
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
    assert.equal(tokenWhenDone, 'tok_1');
    assert.equal(store.state.turn.status, 'idle');
    const { body, headers, url } = service.calls[0]!;
    assert.equal(url, 'https://api.example/api/v2/agents/agt_1/chat');
    assert.deepEqual(body, { messages: [{ role: 'user', content: 'Hi' }], locale: 'en', stream: true });
    assert.equal(headers.get('authorization'), 'Bearer svc_pk_test');
    assert.equal(headers.get('accept-language'), 'en');
  });

  it('continues the conversation with its token', async () => {
    const { conversation, service } = await tabWith(createWorld(), streamed(started()), streamed(response()));
    await conversation.send('One');
    await conversation.send('Two');
    assert.equal(service.calls[1]!.body.conversation_id, 'cnv_1');
    assert.equal(service.calls[1]!.body.conversation_token, 'tok_1');
  });

  it('prefers the message in done over the deltas', async () => {
    const { conversation } = await tabWith(createWorld(), streamed(started(), 'Something else'));
    await conversation.send('Hi');
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

  it('accepts a plain response to a streamed call', async () => {
    const { conversation } = await tabWith(createWorld(), json(started()));
    await conversation.send('Hi');
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

  it('shows no reply when a team member has taken over', async () => {
    const done = started({ message: null, state: 'human_active' });
    const { conversation, store } = await tabWith(createWorld(), streamed(done));
    await conversation.send('Hi');
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'notice: joined']);
    assert.equal(store.state.state, 'human_active');
  });

  it('counts a reply that arrives while the chat is not visible as unread', async () => {
    const { conversation, store } = await tabWith(createWorld(), streamed(started()), streamed(response()));
    await conversation.send('Hi');
    assert.equal(store.state.unread, 1);
    store.dispatch({ type: 'read' });
    conversation.isVisible = true;
    await conversation.send('Hi');
    assert.equal(store.state.unread, 0);
  });

  it('does not count a reply as unread that was complete before the chat was closed', async () => {
    const { conversation, store } = await tabWith(createWorld(), streamed(started()));
    conversation.isVisible = true;
    store.subscribe((_state, event) => {
      if (event.type !== 'reply-ended') return;
      // While the reply is being saved.
      queueMicrotask(() => {
        conversation.isVisible = false;
      });
    });
    await conversation.send('Hi');
    assert.equal(store.state.unread, 0);
  });
});

describe('A reload', () => {
  it('restores the conversation and continues it', async () => {
    const world = createWorld();
    const drafts = createDrafts();
    const first = openTab(world, [streamed(started({ sources: [{ file_id: 'f', filename: 'Hours' }] }))], { drafts });
    await first.conversation.start();
    await first.conversation.send('One');
    first.conversation.setDraft('Half a thought');
    first.conversation.dispose();
    await settle();
    const { conversation, service, store } = openTab(world, [streamed(response())], { drafts });
    await conversation.start();
    assert.deepEqual(transcript(conversation), ['visitor confirmed: One', 'ai whole: Hello there']);
    assert.equal(store.state.draft, 'Half a thought');
    await conversation.send('Two');
    assert.equal(service.calls[0]!.body.conversation_token, 'tok_1');
  });

  it('shows a message that was in flight as unconfirmed, and only once', async () => {
    const world = createWorld();
    const stream = openStream();
    const waiting: FakeResponse = () => new Promise(() => {});
    const { conversation } = await tabWith(world, waiting);
    void conversation.send('Hi');
    await settle();
    const copy = await storedRecord(world);
    assert.equal(copy?.messages.length, 1);
    stream.end();
    const other = openTab({ ...createWorld(), storage: world.storage, clock: world.clock });
    await other.conversation.start();
    assert.deepEqual(transcript(other.conversation), ['visitor unconfirmed: Hi']);
  });

  it('deletes the conversation after 24 hours without reading it', async () => {
    const world = createWorld();
    const first = await tabWith(world, streamed(started()));
    await first.conversation.send('One');
    first.conversation.dispose();
    await world.clock.advance(24 * 3_600_000);
    const { conversation } = await tabWith(world);
    assert.deepEqual(transcript(conversation), ['notice: restarted']);
    assert.equal(await world.storage.load('key'), undefined);
  });

  it('finds nothing stored before the visitor has typed', async () => {
    const world = createWorld();
    const { conversation } = await tabWith(world);
    conversation.dispose();
    await world.clock.advance(5_000);
    assert.equal(await world.storage.load('key'), undefined);
  });
});

describe('Two tabs', () => {
  it('start one conversation when both send their first message at once', async () => {
    const world = createWorld();
    const one = await tabWith(world, streamed(started()));
    const two = await tabWith(world, streamed(response()));
    await Promise.all([one.conversation.send('One'), two.conversation.send('Two')]);
    await settle();
    assert.equal(two.service.calls[0]!.body.conversation_token, 'tok_1');
    const both = ['visitor confirmed: One', 'ai whole: Hello there', 'visitor confirmed: Two', 'ai whole: Hello there'];
    assert.deepEqual(transcript(two.conversation), both);
    assert.deepEqual(transcript(one.conversation), both);
  });

  it('erase their conversation together', async () => {
    const world = createWorld();
    const one = await tabWith(world, streamed(started()));
    const two = await tabWith(world);
    await one.conversation.send('One');
    await settle();
    assert.equal(transcript(two.conversation).length, 2);
    await two.conversation.reset();
    await settle();
    assert.deepEqual(transcript(one.conversation), []);
    const tombstone = (await world.storage.load('key')) as object;
    assert.deepEqual(Object.keys(tombstone).toSorted(), ['erasureCount', 'version']);
  });
});
