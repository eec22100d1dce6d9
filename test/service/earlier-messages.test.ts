import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useTestService } from './support.ts';

const tested = useTestService();
const hours = 'When are you open?';

const send = async (messages: object[], { key, ...more }: { key?: string; conversation_id?: string } = {}) =>
  tested.call('POST', tested.chatPath, { key: key ?? (await tested.makeKey()), body: { messages, ...more } });

describe('the earlier messages of a chat call', () => {
  it('are ignored in a conversation, however many and long they are', async () => {
    const key = await tested.makeKey();
    const { conversation_id } = (await tested.chat('Hello', { key })).body;
    const reply = { role: 'assistant', content: 'x'.repeat(8001) };
    const messages = [...Array.from({ length: 80 }, () => reply), { role: 'user', content: hours }];
    assert.equal((await send(messages, { key, conversation_id })).status, 200);
    const { status: rejected, error } = await send([reply, { role: 'user', content: hours }]);
    assert.deepEqual([rejected, (error.details as { field: string }[])[0]!.field], [422, 'messages.0.content']);
  });

  it('are accepted in any number in a call that starts a conversation', async () => {
    const messages = Array.from({ length: 201 }, (_, at) => ({ role: at % 2 ? 'assistant' : 'user', content: hours }));
    assert.equal((await send(messages)).status, 200);
  });
});
