import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBusy } from '../../../src/chat/state/state.ts';
import { createWorld, transcript, storedRecord, tabWith } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import {
  json,
  openStream,
  refusal,
  response,
  started,
  streamed,
  unreachable,
  type FakeResponse,
} from '../../support/fakes/fake-service.ts';

describe('A turn that fails', () => {
  it('leaves the message unconfirmed without a response, and does not send it again by itself', async () => {
    const world = createWorld();
    const { conversation, store, service } = await tabWith(world, unreachable);
    assert.equal(await conversation.send('Hi'), null);
    assert.deepEqual(transcript(conversation), ['visitor unconfirmed: Hi']);
    assert.equal(store.state.turn.status === 'failed' && store.state.turn.problem.code, 'network');
    await world.clock.advance(3_600_000);
    assert.equal(service.calls.length, 1);
  });

  it('is sent again once, in the same place, when the visitor asks for it', async () => {
    const { conversation, service } = await tabWith(createWorld(), unreachable, json(started()));
    await conversation.send('Hi');
    await conversation.sendAgain(conversation.store.state.messages[0]!.key);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
    assert.equal(service.calls.length, 2);
  });

  it('keeps the text of a reply that was cut off', async () => {
    const stream = openStream();
    const { conversation, store } = await tabWith(createWorld(), stream.reply);
    const sent = conversation.send('Hi');
    await settle();
    stream.write('delta', { text: 'Half an' });
    await settle();
    stream.end();
    await sent;
    assert.deepEqual(transcript(conversation), [
      'visitor confirmed: Hi',
      'ai interrupted: Half an',
      'notice: unlinked',
    ]);
    assert.equal(store.state.turn.status === 'failed' && store.state.turn.problem.code, 'interrupted');
  });

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

  it('keeps the text of a rejected message, and says why it was rejected', async () => {
    for (const [status, code] of [
      [401, 'invalid_key'],
      [402, 'plan_required'],
      [403, 'insufficient_scope'],
      [409, 'agent_unavailable'],
      [413, 'body_too_large'],
      [422, 'validation_error'],
      [500, 'internal_error'],
    ] as const) {
      const { conversation, store, service } = await tabWith(createWorld(), refusal(status, code));
      await conversation.send('Hi');
      assert.deepEqual(transcript(conversation), ['visitor unsent: Hi']);
      const { turn } = store.state;
      assert.deepEqual(turn.status === 'failed' && turn.problem, {
        code,
        status,
        requestId: 'req_1',
        detail: `About ${code}`,
      });
      assert.equal(service.calls.length, 1);
      conversation.edit(store.state.messages[0]!.key);
      assert.equal(store.state.draft, 'Hi');
      assert.deepEqual(transcript(conversation), []);
    }
  });

  it('counts only the error envelope of the contract as a rejection', async () => {
    const page: FakeResponse = () =>
      new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
    const { conversation, store } = await tabWith(createWorld(), page);
    await conversation.send('Hi');
    assert.deepEqual(transcript(conversation), ['visitor unconfirmed: Hi']);
    assert.equal(store.state.turn.status === 'failed' && store.state.turn.problem.code, 'unexpected_response');
  });

  it('waits as long as Retry-After says, and continues', async () => {
    const world = createWorld();
    const limited = refusal(429, 'rate_limited', { 'retry-after': '12' });
    const { conversation, store, service } = await tabWith(world, limited, streamed(started()));
    const sent = conversation.send('Hi');
    await settle();
    const { turn } = store.state;
    assert.equal(turn.status === 'waiting' && turn.reason, 'rate_limited');
    assert.equal(turn.status === 'waiting' && turn.until! - world.clock.now(), 12_500);
    await world.clock.advance(12_000);
    assert.equal(service.calls.length, 1);
    await world.clock.advance(1_000);
    await sent;
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

  it('returns a waiting text to the composer when the visitor stops', async () => {
    const { conversation, store } = await tabWith(createWorld(), refusal(429, 'rate_limited'));
    const sent = conversation.send('Hi');
    await settle();
    conversation.stop();
    await sent;
    assert.deepEqual(transcript(conversation), []);
    assert.equal(store.state.draft, 'Hi');
  });

  it('waits for the network before it sends', async () => {
    const world = createWorld();
    const { conversation, service, store } = await tabWith(world, streamed(started()));
    world.isOnline = false;
    const sent = conversation.send('Hi');
    await settle();
    assert.equal(store.state.turn.status === 'waiting' && store.state.turn.reason, 'offline');
    assert.equal(service.calls.length, 0);
    world.goOnline();
    await sent;
    assert.equal(service.calls.length, 1);
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
});

describe('A stream without data', () => {
  it('is ended after a minute without a byte, and its text stays', async () => {
    const world = createWorld();
    const stream = openStream();
    const { conversation, store } = await tabWith(world, stream.reply);
    const sent = conversation.send('Hi');
    await settle();
    stream.write('delta', { text: 'Half' });
    await world.clock.advance(50_000);
    stream.comment();
    await world.clock.advance(50_000);
    assert.equal(isBusy(store.state), true);
    await world.clock.advance(15_000);
    await sent;
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai interrupted: Half', 'notice: unlinked']);
    assert.equal(store.state.turn.status === 'failed' && store.state.turn.problem.code, 'timeout');
    assert.equal(stream.isCanceled, true);
    assert.equal(world.clock.pending, 0);
  });

  it('cannot stay open for ever with keep-alive comments', async () => {
    const world = createWorld();
    const stream = openStream();
    const { conversation, store } = await tabWith(world, stream.reply);
    void conversation.send('Hi');
    await settle();
    for (let i = 0; i < 25 && isBusy(store.state); i++) {
      stream.comment();
      await world.clock.advance(30_000);
    }
    const { turn } = store.state;
    assert.equal(turn.status === 'failed' && turn.problem.code, 'timeout');
  });
});
