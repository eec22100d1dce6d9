import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld, openTab, transcript, storedRecord, tabWith } from '../../support/fakes/conversation.ts';
import { json, refusal, response, started, streamed, unreachable } from '../../support/fakes/fake-service.ts';

describe('A turn that fails', () => {
  it('makes the next turns use plain calls, twice as many after each interruption, until a stream succeeds', async () => {
    const plain = json(response());
    const { conversation, service } = await tabWith(
      createWorld(),
      unreachable,
      json(started()),
      unreachable,
      plain,
      plain,
      streamed(response()),
    );
    for (let i = 0; i < 6; i++) await conversation.send('Hi');
    assert.deepEqual(
      service.calls.map(({ body }) => body.stream === true),
      [true, false, true, false, false, true],
    );
  });

  it('starts a new conversation with the same text when the old one is over', async () => {
    for (const [status, code] of [
      [410, 'conversation_expired'],
      [404, 'conversation_not_found'],
      [404, 'not_found'],
    ] as const) {
      const world = createWorld();
      const second = streamed(started({ conversation_id: 'cnv_2', conversation_token: 'tok_2' }));
      const { conversation, service } = await tabWith(world, streamed(started()), refusal(status, code), second);
      await conversation.send('One');
      await conversation.send('Two');
      assert.deepEqual(transcript(conversation), [
        'visitor confirmed: One',
        'ai whole: Hello there',
        'notice: restarted',
        'visitor confirmed: Two',
        'ai whole: Hello there',
      ]);
      assert.equal(service.calls[2]!.body.conversation_id, undefined);
      const stored = await storedRecord(world);
      assert.equal(stored?.conversationToken, 'tok_2');
      assert.equal(stored?.messages.length, 3);
    }
  });

  it('does not start over when there was no conversation to continue', async () => {
    const { conversation, service } = await tabWith(createWorld(), refusal(404, 'not_found'));
    await conversation.send('Hi');
    assert.deepEqual(transcript(conversation), ['visitor unsent: Hi']);
    assert.equal(service.calls.length, 1);
  });

  it('is interrupted when the assistant gives no reply', async () => {
    const empty = started({ message: null, state: 'ai_active' });
    for (const streaming of ['auto', 'off'] as const) {
      const replies = streaming === 'auto' ? [streamed(empty), streamed(response())] : [json(empty), json(response())];
      const { conversation, service, store } = openTab(createWorld(), replies, { streaming: () => streaming });
      await conversation.start();
      assert.equal(await conversation.send('Hi'), null);
      assert.equal(store.state.turn.status, 'failed');
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai interrupted: ']);
      assert.deepEqual(conversation.credentials, { conversationId: 'cnv_1', token: 'tok_1' });
      assert.equal(service.calls.length, 1);
      // The call itself worked, so the next one is of the same kind.
      await conversation.send('Hi again');
      assert.deepEqual(
        service.calls.map(({ body }) => body.stream === true),
        Array(2).fill(streaming === 'auto'),
      );
    }
  });

  it('is over when a person replies later', async () => {
    const { conversation, store } = await tabWith(
      createWorld(),
      streamed(started({ message: null, state: 'human_active' })),
    );
    await conversation.send('Hi');
    assert.equal(store.state.turn.status, 'idle');
  });
});
