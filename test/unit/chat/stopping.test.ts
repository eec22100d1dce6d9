import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, transcript, tabWith } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { openStream } from '../../support/fakes/fake-service.ts';

describe('Stopping a reply', () => {
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
