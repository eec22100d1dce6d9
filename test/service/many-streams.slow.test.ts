import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { count } from 'drizzle-orm';
import type { Listening } from '../../service/service.ts';
import { messages } from '../../service/db/schema.ts';
import { ModelServer } from '../support/servers/model-server.ts';
import { createTestService, post, readEvents, type StreamEvent, type TestService } from './support.ts';

const streams = 2000;
const pieces = ['Hello', ' to', ' you', '!'];
let model: ModelServer;
let tested: TestService;
let listening: Listening;
before(async () => {
  model = new ModelServer();
  await model.listen();
  tested = await createTestService({ model: { url: model.url, name: 'm', timeoutMs: 600_000 } });
  listening = await tested.service.listen(0);
});
after(async () => {
  await tested.service.close();
  await model.close();
});

/** Sends a message. Resolves to the events of the reply. */
const stream = async (key: string, onOpen: () => void): Promise<StreamEvent[]> => {
  const body = { messages: [{ role: 'user', content: 'Hi' }], stream: true };
  const response = await post(`${listening.baseUrl}${tested.chatPath}`, body, { key });
  assert.equal(response.status, 200);
  onOpen();
  const events: StreamEvent[] = [];
  for await (const event of readEvents(response)) events.push(event);
  return events;
};
it(`completes ${streams} streams at once over as many connections`, async () => {
  const keys = await Promise.all(Array.from({ length: streams / 20 }, () => tested.makeKey()));
  let open = 0;
  let goOn = () => {};
  const allBegun = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // Every stream waits until all of them have started.
  const look = () => {
    if (open === streams && model.requests.length === streams) goOn();
  };
  model.respondWith(async (write) => {
    look();
    await allBegun;
    for (const piece of pieces) {
      write.text(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    write.end();
  });

  const onOpen = () => {
    open++;
    look();
  };
  const all = await Promise.all(
    Array.from({ length: streams }, (_, at) => stream(keys[at % keys.length]!, onOpen).finally(() => open--)),
  );
  assert.equal(open, 0);
  const conversations = new Set<string>();
  for (const events of all) {
    const done = events.find(({ event }) => event === 'done')!.data;
    const said = events.flatMap(({ event, data }) => (event === 'delta' ? [data.text] : [])).join('');
    assert.equal(said, pieces.join(''));
    assert.deepEqual([done.message.content, done.degraded], [said, false]);
    conversations.add(done.conversation_id);
  }
  assert.equal(conversations.size, streams);
  const [kept] = await tested.service.db.select({ messages: count() }).from(messages);
  assert.equal(kept!.messages, 2 * streams);
});
