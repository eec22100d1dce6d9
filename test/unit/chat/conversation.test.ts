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
import { openStream, response, started, streamed } from '../../support/fakes/fake-service.ts';

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

  it('counts a reply that arrives while the chat is not visible as unread', async () => {
    const { conversation, store } = await tabWith(createWorld(), streamed(started()), streamed(response()));
    await conversation.send('Hi');
    assert.equal(store.state.unread, 1);
    store.dispatch({ type: 'read' });
    conversation.isVisible = true;
    await conversation.send('Hi');
    assert.equal(store.state.unread, 0);
  });

  it('completes a last event without text by what was streamed', async () => {
    for (const message of [null, { id: 'msg_1', role: 'assistant', content: '' }]) {
      const stream = openStream();
      const { conversation, store } = await tabWith(createWorld(), stream.reply);
      const sent = conversation.send('Hi');
      await settle();
      stream.write('delta', { text: 'Hello there' });
      stream.write('done', started({ message: message as never }));
      assert.equal((await sent)?.message?.content, 'Hello there');
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
      assert.equal(store.state.unread, 1);
    }
  });

  it('gives the page its response without the token of the conversation', async () => {
    const { conversation } = await tabWith(createWorld(), streamed(started()));
    assert.doesNotMatch(JSON.stringify(await conversation.send('Hi')), /token|tok_1/);
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
});
