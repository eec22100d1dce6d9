import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, it } from 'node:test';
import { count } from 'drizzle-orm';
import { messages } from '../../service/db/schema.ts';
import type { Listening } from '../../service/service.ts';
import { ModelServer } from '../support/servers/model-server.ts';
import { createTestService, type TestService } from './support.ts';

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

/** Sends a message over a connection of its own. Resolves to the body of the event stream. */
const stream = (agent: Agent, key: string, onOpen: () => void) =>
  new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `${listening.baseUrl}${tested.chatPath}`;
    const asked = request(url, { agent, method: 'POST', headers }, (response) => {
      assert.equal(response.statusCode, 200);
      onOpen();
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], stream: true }));
  });

it(`completes ${streams} streams at once over as many connections`, async () => {
  const keys = await Promise.all(Array.from({ length: streams / 20 }, () => tested.makeKey()));
  const agent = new Agent({ maxSockets: Infinity });
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
    Array.from({ length: streams }, async (_, at) => {
      const text = await stream(agent, keys[at % keys.length]!, onOpen);
      open--;
      return text;
    }),
  );
  agent.destroy();
  assert.equal(open, 0);
  const conversations = new Set<string>();
  for (const text of all) {
    assert.doesNotMatch(text, /^event: error$/m);
    const done = JSON.parse(/^event: done\ndata: (.*)$/m.exec(text)![1]!);
    const said = [...text.matchAll(/^event: delta\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data!).text).join('');
    assert.equal(said, pieces.join(''));
    assert.equal(said, done.message.content);
    assert.equal(done.degraded, false);
    conversations.add(done.conversation_id);
  }
  assert.equal(conversations.size, streams);
  const [kept] = await tested.service.db.select({ messages: count() }).from(messages);
  assert.equal(kept!.messages, 2 * streams);
});
