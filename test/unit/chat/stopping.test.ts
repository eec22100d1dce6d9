import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBusy } from '../../../src/chat/state/state.ts';
import { createWorld, transcript, tabWith } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { openStream, response, started, streamed } from '../../support/fakes/fake-service.ts';

describe('Stopping a reply', () => {
  it('keeps the text that has arrived, and ends the call', async () => {
    const stream = openStream();
    const { conversation } = await tabWith(createWorld(), streamed(started()), stream.reply);
    await conversation.send('One');
    const sent = conversation.send('Two');
    await settle();
    stream.write('delta', { text: 'Half' });
    await settle();
    conversation.stop();
    await sent;
    assert.equal(stream.isCanceled, true);
    assert.deepEqual(transcript(conversation).slice(2), ['visitor confirmed: Two', 'ai stopped: Half']);
  });

  it('reads a first reply until its credentials arrive, and lets the next message wait for it', async () => {
    const world = createWorld();
    const stream = openStream();
    const { conversation, service, store } = await tabWith(world, stream.reply, streamed(response()));
    void conversation.send('One');
    await settle();
    stream.write('delta', { text: 'Half' });
    await settle();
    conversation.stop();
    assert.equal(isBusy(store.state), false);
    const second = conversation.send('Two');
    await settle();
    const { turn } = store.state;
    assert.equal(turn.status === 'waiting' && turn.reason, 'previous');
    assert.equal(service.calls.length, 1);
    stream.write('delta', { text: ' more' });
    stream.write('done', started());
    await second;
    assert.equal(service.calls[1]!.body.conversation_token, 'tok_1');
    assert.deepEqual(transcript(conversation), [
      'visitor confirmed: One',
      'ai stopped: Half',
      'visitor confirmed: Two',
      'ai whole: Hello there',
    ]);
  });

  it('tells the visitor that a new conversation starts when the credentials never arrive', async () => {
    const world = createWorld();
    const stream = openStream();
    const { conversation } = await tabWith(world, stream.reply);
    void conversation.send('One');
    await settle();
    conversation.stop();
    await world.clock.advance(61_000);
    assert.equal(stream.isCanceled, true);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: One', 'notice: unlinked']);
  });
});
