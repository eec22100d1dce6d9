import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useModelService } from './model-fixture.ts';
import { eq } from 'drizzle-orm';
import { conversations, messages } from '../../service/db/schema.ts';
import { type ModelWriter, type Respond } from '../support/servers/model-server.ts';
import { eventually, post } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const hours = 'What are your opening hours?';
const { model, tested, streamed } = useModelService(2_000);

describe('a failing model', () => {
  const failures: Record<string, Respond> = {
    'returns a 500': ({ response }) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{}}');
    },
    'returns a page instead of a stream': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    },
    'sends invalid data': (write) => {
      write.raw('data: {"choices": [{"delta"\n\ndata: ]]]\n\n');
      write.response.end();
    },
    'sends an empty reply': (write) => write.end(),
    'breaks the connection': (write) => {
      write.response.destroy();
    },
    'sends no first byte': (write) => write.closed,
    'calls a function with unreadable arguments': (write) =>
      write.call('get_order_status', '{"order_number": ').end('tool_calls'),
  };
  for (const [how, respond] of Object.entries(failures)) {
    it(`replies from the knowledge when the model ${how}`, async () => {
      model.respondWith(respond);
      const { done, text } = await streamed(hours);
      assert.equal(done.degraded, true);
      assert.equal(done.outcome, 'answered');
      assert.equal(text, done.message.content);
      assert.ok(done.sources.length > 0);
      assert.match(text, /Saturday|Thursday|open/i);
      assert.ok(tested.log.some(({ event, level }) => event === 'model_failure' && level === 'warn'));
    });
  }

  it('logs that the endpoint has reported an error, without its text, which may quote the visitor', async () => {
    model.respondWith((write) => {
      write.raw(`data: ${JSON.stringify({ error: { message: `Refused: ${hours}` } })}\n\n`);
      write.response.end();
    });
    assert.equal((await streamed(hours)).done.degraded, true);
    const [failure] = tested.log.filter(({ event }) => event === 'model_failure');
    assert.match(String(failure!['error']), /^Error The endpoint reported an error\.$/m);
    assert.ok(!JSON.stringify(tested.log).includes(hours));
  });

  for (const [how, breakOff] of [
    ['that is cut off in the middle', (write: ModelWriter) => write.response.socket!.end()],
    ['that ends without a finish reason', (write: ModelWriter) => write.response.end()],
    ['that stalls', (write: ModelWriter) => write.closed],
  ] as const) {
    it(`replaces a reply ${how} with a complete one`, async () => {
      model.respondWith(async (write) => {
        await breakOff(write.text('We open at three in the'));
      });
      const { done, text } = await streamed(hours);
      assert.equal(done.degraded, true);
      assert.match(text, /^We open at three in/);
      assert.doesNotMatch(done.message.content, /three in/);
      const [kept] = await tested.rows(messages, eq(messages.id, done.message.id));
      assert.equal(kept!.content, done.message.content);
    });
  }

  it('waits for a slow first byte', async () => {
    model.respondWith(async (write) => {
      write.start();
      await new Promise((resolve) => setTimeout(resolve, 150));
      write.text('At ten [1].').end();
    });
    const { done } = await streamed(hours);
    assert.deepEqual([done.message.content, done.degraded], ['At ten.', false]);
  });

  it('repeats a request whose idle connection the endpoint has closed', async () => {
    const used = new WeakSet<object>();
    model.respondWith((write) => {
      const socket = write.response.socket!;
      if (used.has(socket)) socket.destroy();
      else write.text('At ten [1].').end();
      used.add(socket);
    });
    for (const connection of ['new', 'closed']) {
      const { done } = await streamed(hours);
      assert.deepEqual([done.message.content, done.degraded], ['At ten.', false], connection);
    }
  });

  it('marks a reply as degraded that the endpoint cut off', async () => {
    model.respondWith((write) => write.text('At ten and').end('length'));
    const { done } = await streamed(hours);
    assert.deepEqual([done.message.content, done.degraded], ['At ten and', true]);
  });

  it('ends a reply without an end, and the request for it', async () => {
    let stopped: Promise<unknown> | undefined;
    model.respondWith((write) => {
      stopped = write.closed;
      for (let part = 0; part < 5000; part++) write.text('again ');
    });
    const { text, done } = await streamed(hours);
    assert.deepEqual([text.length, done.message.content.length, done.degraded], [16_000, 16_000, true]);
    await stopped;
  });
});

describe('a visitor who disconnects', () => {
  for (const [when, begin, said] of [
    ['in the middle of the text', (write: ModelWriter) => write.text('We open at ', 'ten o’clock '), 'We open at'],
    ['before the first text', (write: ModelWriter) => write.start(), undefined],
  ] as const) {
    it(`aborts the model’s request when the visitor disconnects ${when}`, async () => {
      let closed = false;
      const begun = new Promise<void>((resolve) => {
        model.respondWith(async (write) => {
          begin(write);
          resolve();
          await write.closed;
          closed = true;
        });
      });
      const key = await tested.makeKey();
      const leaving = new AbortController();
      const listening = await tested.service.listen(0);
      const body = { messages: [{ role: 'user', content: hours }], stream: true };
      const response = await post(`${listening.baseUrl}${tested.chatPath}`, body, { key, signal: leaving.signal });
      await begun;
      if (said !== undefined) {
        const reader = response.body!.getReader();
        for (let received = ''; !received.includes(said);)
          received += new TextDecoder().decode((await reader.read()).value);
      }
      leaving.abort();
      await eventually(async () => closed);
      const last = await eventually(async () => {
        const all = await tested.service.db.select().from(conversations).orderBy(conversations.startedAt);
        const latest = all.at(-1)!;
        return latest.turnHolder === null ? latest : undefined;
      });
      const kept = await tested.rows(messages, eq(messages.conversationId, last.id));
      const responses = kept.filter(({ role }) => role === 'assistant');
      assert.deepEqual(valuesOf(responses, 'outcome'), said === undefined ? [] : [null]);
      if (said !== undefined) assert.ok(responses[0]!.content.startsWith(said));
      assert.ok(!tested.log.some(({ event }) => event === 'model_failure' || event === 'stream_failure'));
      await listening.close();
    });
  }
});
