import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { createWorld, openTab } from '../../support/fakes/conversation.ts';
import { settle } from '../../support/fakes/fake-clock.ts';
import { json, openStream, started } from '../../support/fakes/fake-service.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';

const call = { call_id: 'call_1', name: 'look_up', arguments: {}, timeout_ms: 15_000, conversation_id: 'cnv_1' };

it('does not send the result of a tool that returns after the reply, while the reply is being stored', async () => {
  const storage = new SlowStorage();
  const stream = openStream();
  let finish = (_result: object): void => {};
  const run = () =>
    new Promise<object>((resolve) => {
      finish = resolve;
    });
  const tools = new ClientTools({ tools: [{ name: 'look_up', description: 'Look up', run }], pageTools: [] });
  const { conversation, service, store } = openTab({ ...createWorld(), storage }, [stream.reply, json({})], { tools });
  const steps = async (isDone: () => boolean) => {
    for (let count = 0; !isDone() && count < 100; count++) await storage.step();
    assert.ok(isDone());
  };
  void conversation.start();
  const turn = conversation.send('Hi');
  await steps(() => service.calls.length === 1);
  const initial = finish;
  stream.write('client_tool', { ...call, conversation_token: 'tok_1' });
  await steps(() => finish !== initial);
  stream.write('done', started());
  await steps(() => store.state.messages.some(({ role }) => role === 'assistant'));
  finish({});
  await settle();
  await storage.speedUp();
  await turn;
  const reply = store.state.messages.find(({ role }) => role === 'assistant');
  assert.deepEqual(reply?.role === 'assistant' && reply.tools.map(({ phase }) => phase), ['failed']);
  assert.deepEqual(
    service.calls.map(({ url }) => url.replace(/.*v2/, '')),
    ['/agents/agt_1/chat'],
  );
});
