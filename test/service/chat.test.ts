import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq } from 'drizzle-orm';
import { conversations, messages } from '../../service/db/schema.ts';
import { hour, useTestService } from './support.ts';

const tested = useTestService();

const hours = 'What are your opening hours?';

const send = async (body: object, key?: string) =>
  tested.call('POST', tested.chatPath, { key: key ?? (await tested.makeKey()), body });

describe('the assistant, in a chat call', () => {
  it('names the title and the URL of a source, once', async () => {
    const { sources } = (await tested.chat(hours)).body;
    const shown = sources.map(({ title, url }) => [title, url]);
    assert.deepEqual(shown, [['Opening hours', 'https://palmandclay.example/en/visit']]);
  });

  it('replies in the language of the question even if the locale differs', async () => {
    const { body } = await tested.chat('متى تفتحون؟', { locale: 'en' });
    assert.match(body.message!.content, /من السبت إلى الأربعاء/);
    assert.equal(body.message!.lang, 'ar');
  });

  it('uses the earlier messages of a new conversation as context', async () => {
    const messages = [
      { role: 'user', content: hours },
      { role: 'assistant', content: 'From ten to eight.' },
      { role: 'user', content: 'and on Friday?' },
    ];
    const { body } = await send({ messages });
    assert.match(body.message.content, /Friday from 16:00/);
  });
});

describe('the earlier messages of a chat call', () => {
  it('are ignored in a conversation, however many and long they are', async () => {
    const key = await tested.makeKey();
    const { conversation_id } = (await tested.chat('Hello', { key })).body;
    const reply = { role: 'assistant', content: 'x'.repeat(8001) };
    const messages = [...Array.from({ length: 80 }, () => reply), { role: 'user', content: hours }];
    assert.equal((await send({ messages, conversation_id }, key)).status, 200);
    const { status: rejected, error } = await send({ messages: [reply, { role: 'user', content: hours }] });
    assert.deepEqual([rejected, (error.details as { field: string }[])[0]!.field], [422, 'messages.0.content']);
  });

  it('are accepted in any number in a call that starts a conversation', async () => {
    const messages = Array.from({ length: 201 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: hours }));
    assert.equal((await send({ messages })).status, 200);
  });
});

describe('the chat API', () => {
  it('ignores unknown members, and a word that is too long to search for', async () => {
    const messages = [{ role: 'user', content: 'a'.repeat(8000), mood: 'fine' }];
    assert.equal((await send({ messages, future: true })).status, 200);
  });

  it('counts the characters of a message as the contract does: emoji and rare letters are one each', async () => {
    const statusOf = async (count: number) =>
      (await send({ messages: [{ role: 'user', content: '😀'.repeat(count) }] })).status;
    assert.deepEqual([await statusOf(8000), await statusOf(8001)], [200, 422]);
  });
});

describe('the chat API, under a publishable key', () => {
  const start = async () => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const { body } = await tested.chat(hours, { key });
    return { key, id: body.conversation_id, token: body.conversation_token! };
  };

  it('stores the hash of the conversation token', async () => {
    const { id, token } = await start();
    assert.match(token, /^ct_/);
    const [row] = await tested.rows(conversations, eq(conversations.id, id));
    assert.match(row!.tokenHash!, /^[0-9a-f]{64}$/);
  });

  it('does not find an unknown conversation, or one that a secret key started', async () => {
    const { key, token } = await start();
    const { body } = await tested.chat(hours);
    for (const id of ['cnv_never', body.conversation_id]) {
      const { error } = await tested.chat('again', { key, conversation_id: id, conversation_token: token });
      assert.equal(error.code, 'conversation_not_found');
    }
  });

  it('expires a conversation to the millisecond, after which it is no oracle for its id', async () => {
    const { key, id, token } = await start();
    const init = { key, conversation_id: id, conversation_token: token };
    tested.clock.now += 24 * hour - 1;
    assert.equal((await tested.chat('and parking?', init)).status, 200);
    tested.clock.now += 1;
    assert.equal((await tested.chat('and parking?', init)).status, 410);
    assert.equal((await tested.chat('and parking?', { ...init, conversation_token: 'ct_wrong' })).status, 404);
  });
});

describe('the assistant, within a conversation', () => {
  it('confirms a handoff request, remembers it, and continues to reply', async () => {
    const key = await tested.makeKey();
    const first = await tested.chat('Can I talk to a real person?', { key });
    assert.equal(first.body.outcome, 'handoff');
    assert.equal(first.body.state, 'handoff_requested');
    const init = { key, conversation_id: first.body.conversation_id };
    const second = await tested.chat(hours, init);
    assert.equal(second.body.state, 'handoff_requested');
    assert.equal(second.body.outcome, 'answered');
    assert.match(second.body.message!.content, /10:00 to 20:00/);
    const third = await tested.chat('Where can I park?', init);
    assert.doesNotMatch(third.body.message!.content, /has been asked/);
    const again = await tested.chat('I want to speak with a human', init);
    assert.match(again.body.message!.content, /already been asked/);
  });

  it('stores a message without a reply after a person has taken over', async () => {
    const key = await tested.makeKey();
    const { body } = await tested.chat(hours, { key });
    const id = body.conversation_id;
    await tested.set(conversations, { state: 'human_active' }, eq(conversations.id, id));
    await tested.chat('Are you there?', { key, conversation_id: id });
    const kept = await tested.rows(messages, eq(messages.conversationId, id));
    assert.equal(kept.at(-1)!.content, 'Are you there?');
    const events = await tested.streamed('Hello?', { key, conversation_id: id });
    assert.equal(events.at(-1)!.data.message, null);
    assert.ok(!events.some(({ event }) => event === 'delta'));
  });

  it('replies to both of two questions in one message', async () => {
    const { body } = await tested.chat('Do you have parking and is it wheelchair accessible?');
    assert.match(body.message!.content, /step-free/);
    assert.match(body.message!.content, /12 spaces/);
  });
});

describe('the service, for the origin of a conversation', () => {
  const key = tested.secretKey;
  const originOf = async (id: string) => {
    const { body } = await tested.api('GET', `/conversations/${id}`);
    return [body.page_url, body.utm, body.referrer];
  };

  for (const [referer, pageUrl] of [
    ['https://palmandclay.example/', 'https://palmandclay.example/'],
    [undefined, null],
    ['not a url', null],
    ['app://shop/plates?utm_source=x', null],
  ] as const) {
    it(`stores ${pageUrl ?? 'nothing'} for ${referer ?? 'a call without a Referer'}`, async () => {
      const { body } = await tested.chat(hours, { key, ...(referer === undefined ? {} : { headers: { referer } }) });
      assert.deepEqual(await originOf(body.conversation_id), [pageUrl, {}, '']);
    });
  }

  it('keeps the first origin when the visitor continues on another page', async () => {
    const from = (page: string) => ({ key, headers: { referer: `https://palmandclay.example/${page}` } });
    const { conversation_id } = (await tested.chat(hours, from('shop/plates?utm_source=letter#top'))).body;
    const first = await originOf(conversation_id);
    await tested.chat('Hello', { ...from('other?utm_source=poster'), conversation_id });
    assert.deepEqual(await originOf(conversation_id), first);
    assert.match(first[0], /plates$/);
  });
});
