import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeRecord } from '../../../src/chat/storage/record.ts';
import { isBusy } from '../../../src/chat/state/state.ts';
import { createWorld, openTab, transcript, type World } from '../../support/fakes/conversation.ts';
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

const record = async ({ storage, clock }: World) => decodeRecord(await storage.load('key'), clock.now());

/** Returns a tab that is ready for its first message. */
const tabWith = async (world: World, ...responses: FakeResponse[]) => {
  const tab = openTab(world, responses);
  await tab.conversation.start();
  return tab;
};

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
      if (type === 'reply-ended') tokenWhenDone = (await record(world))?.conversationToken;
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
});

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
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai interrupted: Half an']);
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
      const stored = await record(world);
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
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai interrupted: Half']);
    assert.equal(store.state.turn.status === 'failed' && store.state.turn.problem.code, 'timeout');
    assert.equal(stream.isCancelled, true);
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

describe('The plain call', () => {
  const plainTab = async (world: World, ...responses: FakeResponse[]) => {
    const tab = openTab(world, responses, { streaming: () => 'off' });
    await tab.conversation.start();
    return tab;
  };

  it('is repeated with the same key and the same body', async () => {
    const world = createWorld();
    const bad: FakeResponse = () => new Response('', { status: 503 });
    const { conversation, service } = await plainTab(world, unreachable, bad, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(60_000);
    await sent;
    const keys = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    assert.equal(new Set(service.calls.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: Hi', 'ai whole: Hello there']);
  });

  it('uses a new key after a rejection', async () => {
    const world = createWorld();
    const limited = refusal(429, 'rate_limited', { 'retry-after': '1' });
    const { conversation, service } = await plainTab(world, limited, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(10_000);
    await sent;
    const [first, second] = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.notEqual(first, second);
  });

  it('stays the same call when the visitor sends the message again', async () => {
    const world = createWorld();
    const failures = [unreachable, unreachable, unreachable, unreachable, unreachable];
    const { conversation, service, store } = await plainTab(world, ...failures, json(started()));
    const sent = conversation.send('Hi');
    await world.clock.advance(600_000);
    await sent;
    assert.deepEqual(transcript(conversation), ['visitor unconfirmed: Hi']);
    await conversation.sendAgain(store.state.messages[0]!.key);
    assert.equal(new Set(service.calls.map(({ headers }) => headers.get('idempotency-key'))).size, 1);
    assert.equal(service.calls.length, 6);
  });
});

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
    assert.equal(stream.isCancelled, true);
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
    assert.equal(stream.isCancelled, true);
    assert.deepEqual(transcript(conversation), ['visitor confirmed: One', 'notice: unlinked']);
  });
});

describe('A reload', () => {
  it('restores the conversation and continues it', async () => {
    const world = createWorld();
    const first = await tabWith(world, streamed(started({ sources: [{ file_id: 'f', filename: 'Hours' }] })));
    await first.conversation.send('One');
    first.conversation.setDraft('Half a thought');
    first.conversation.dispose();
    await settle();
    const { conversation, service, store } = await tabWith(world, streamed(response()));
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
    const copy = await record(world);
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
    assert.deepEqual(transcript(conversation), []);
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
    assert.equal(await world.storage.load('key'), undefined);
  });
});
