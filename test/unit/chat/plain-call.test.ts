import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createWorld,
  FakeBrowser,
  finish,
  openTab,
  person,
  tabWith,
  transcript,
  type World,
} from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { hashAtOnce } from '../../support/fakes/hashes.ts';
import { json, refusal, started, unreachable, type FakeResponse } from '../../support/fakes/fake-service.ts';

hashAtOnce();

describe('The plain call', () => {
  const plainTab = async (world: World, ...responses: FakeResponse[]) => {
    const tab = openTab(world, responses, { streaming: () => 'off' });
    await tab.conversation.start();
    return tab;
  };

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

  for (const who of [null, 'badr'])
    it(`is not repeated in the conversation of a customer who has signed in in another tab, by ${who ?? 'an anonymous visitor'}`, async () => {
      const world = createWorld();
      const second = started({ conversation_id: 'cnv_2', conversation_token: 'tok_2' });
      const { conversation, service } = await plainTab(world, json(started()), unreachable, json(second));
      let isSignedIn = false;
      if (who) conversation.setContact(async () => (isSignedIn ? person(who) : null));
      await conversation.send('One');
      void conversation.send('Two');
      await settle();
      // This tab gets no news of the other one.
      const other = await tabWith({ ...world, browser: new FakeBrowser() });
      other.conversation.setContact(person('amal'));
      isSignedIn = true;
      await finish(world, 10);
      assert.deepEqual(
        service.calls.map(({ body }) => [body.messages[0]!.content, body.conversation_id]),
        [
          ['One', undefined],
          ['Two', 'cnv_1'],
          ['Two', undefined],
        ],
      );
      assert.equal(conversation.credentials?.conversationId, 'cnv_2');
      assert.deepEqual(transcript(conversation), ['visitor confirmed: Two', 'ai whole: Hello there']);
    });

  it('is repeated as it was after such a sign-in when it began a conversation', async () => {
    const world = createWorld();
    const { conversation, service } = await plainTab(world, unreachable, json(started()));
    void conversation.send('One');
    await settle();
    const other = await tabWith({ ...world, browser: new FakeBrowser() });
    other.conversation.setContact(person('amal'));
    await finish(world, 10);
    const keys = service.calls.map(({ headers }) => headers.get('idempotency-key'));
    assert.equal(keys.length, 2);
    assert.equal(keys[0], keys[1]);
  });
});
