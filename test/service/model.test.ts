import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { actionCalls, actions, conversations, messages, verifiedHosts } from '../../service/db/schema.ts';
import { modelFromEnvironment } from '../../service/model/settings.ts';
import { ModelServer, type ModelWriter, type Respond } from '../support/servers/model-server.ts';
import { createTestService, type StreamEvent, type TestService } from './support.ts';

const hours = 'What are your opening hours?';
let model: ModelServer;
let tested: TestService;
before(async () => {
  model = new ModelServer();
  await model.listen();
  tested = await createTestService({
    allowLoopback: true,
    model: { url: model.url, name: 'small', key: 'sk-model', timeoutMs: 400 },
  });
});
after(async () => {
  await tested.service.close();
  model.close();
});
beforeEach(() => {
  tested.nextMinute();
  tested.log.length = 0;
});

const textOf = (events: StreamEvent[]) =>
  events.flatMap(({ event, data }) => (event === 'delta' ? [data.text as string] : [])).join('');

const streamed = async (content: string, init: object = {}) => {
  const events = await tested.streamed(content, init);
  return { events, text: textOf(events), done: events.at(-1)!.data };
};

const eventually = async <Value>(ask: () => Promise<Value | undefined>): Promise<Value> => {
  for (let attempt = 0; attempt < 300; attempt++) {
    const value = await ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It never happened.');
};

describe('a model', () => {
  it('is asked with the passages and the conversation, and its text is streamed as it comes', async () => {
    model.answers((write) => write.text('We open ', 'at ten', ' [1', '].').end());
    const { events, text, done } = await streamed(hours);
    assert.ok(events.filter(({ event }) => event === 'delta').length >= 2);
    assert.equal(text, 'We open at ten.');
    assert.equal(done.message.content, text);
    assert.deepEqual([done.outcome, done.refused, done.degraded], ['answered', false, false]);
    assert.ok(done.sources.length >= 1);
    const [request] = model.requests;
    assert.deepEqual(
      [request!.path, request!.authorization, request!.model, request!.stream],
      ['/v1/chat/completions', 'Bearer sk-model', 'small', true],
    );
    assert.equal(request!.messages[0]!.role, 'system');
    assert.match(request!.messages[0]!.content, /\[1\] .*Palm & Clay|\[1\] .*open/is);
    assert.deepEqual(request!.messages.at(-1), { role: 'user', content: hours });
    assert.doesNotMatch(JSON.stringify(tested.log), /sk-model|We open/);
  });

  it('names its sources by the passages it cites, and only those', async () => {
    model.answers((write) => write.text('One [1], ', 'and [99].').end());
    const { text, done } = await streamed(hours);
    assert.equal(text, 'One, and [99].');
    assert.equal(done.sources.length, 1);
  });

  it('leaves links alone', async () => {
    model.answers((write) => write.text('See [1](https://palmandclay.example', '/faq) [2]').end());
    assert.equal((await streamed(hours)).text, 'See [1](https://palmandclay.example/faq)');
  });

  it('answers a plain call, in the language asked, knowing what was said before', async () => {
    const key = await tested.makeKey();
    model.answers((write) => write.text('نفتح الساعة ١٠ [١].').end());
    const first = await tested.chat('متى تفتحون؟', { key });
    assert.equal(first.body.message!.content, 'نفتح الساعة ١٠.');
    assert.match(model.requests[0]!.messages[0]!.content, /Write Arabic/);
    await tested.chat('وماذا عن الجمعة؟', { key, conversation_id: first.body.conversation_id });
    assert.deepEqual(
      model.requests[1]!.messages.slice(1).map(({ role, content }) => [role, content]),
      [
        ['user', 'متى تفتحون؟'],
        ['assistant', 'نفتح الساعة ١٠.'],
        ['user', 'وماذا عن الجمعة؟'],
      ],
    );
  });

  it('that knows no answer says so by a function', async () => {
    model.answers((write) => write.call('no_answer', {}).end('tool_calls'));
    const { done } = await streamed('Who won the match?');
    assert.deepEqual([done.outcome, done.refused, done.degraded], ['refused', true, false]);
    assert.match(done.message.content, /no answer to that/);
  });

  it('can ask a person in', async () => {
    model.answers((write) => write.text('Of course.').call('ask_for_person', {}).end('tool_calls'));
    const { done } = await streamed('This is going nowhere, is anybody there?');
    assert.deepEqual([done.outcome, done.state], ['handoff', 'handoff_requested']);
    assert.match(done.message.content, /^Of course\.\n\nI have asked a person/);
  });

  it('is not asked where the visitor’s wish is beyond doubt', async () => {
    model.answers((write) => write.text('No.').end());
    const { done } = await streamed('I want to talk to a human');
    assert.equal(done.outcome, 'handoff');
    assert.equal(model.requests.length, 0);
  });
});

describe('a function of a model', () => {
  it('shows a form or free times as without a model', async () => {
    model.answers((write) => write.call('custom_order_request', {}).end('tool_calls'));
    const form = (await streamed('Could you make plates for my café?')).done;
    assert.equal(form.outcome, 'form');
    assert.equal(form.message.blocks[0].type, 'form');
    const filled = 'Name: Huda\nPhone: 92223333\nWhat to make: Tiles\nHow many: 40';
    const key = tested.service.demo.secretKey;
    const asked = await tested.chat('Could you make plates?', { key });
    const { body } = await tested.chat(filled, { key, conversation_id: asked.body.conversation_id });
    assert.equal(body.lead_captured, true);
  });

  it('shows what the shop has', async () => {
    model.answers(
      (write) => write.call('show_products', {}).end('tool_calls'),
      (write) => write.text('Here they are.').end(),
    );
    const { done } = await streamed('Show me your products');
    assert.equal(done.message.content, 'Here they are.');
    assert.equal(done.message.blocks[0].type, 'products');
  });

  const orderTurn = async (answer: object) => {
    const key = await tested.makeKey({ kind: 'publishable' });
    const events: StreamEvent[] = [];
    for await (const event of tested.stream('Where is my order 1042?', { key, client_tools: ['get_order_status'] })) {
      events.push(event);
      if (event.event !== 'client_tool') continue;
      const { conversation_id, conversation_token, call_id } = event.data;
      const body = { conversation_id, conversation_token, call_id, ...answer };
      assert.equal((await tested.call('POST', `${tested.chatPath}/tool-results`, { key, body })).status, 200);
    }
    return { events, done: events.at(-1)!.data, call: events.find(({ event }) => event === 'client_tool')?.data };
  };

  it('that is a client tool goes to the visitor’s app and back', async () => {
    model.answers(
      (write) => write.text('Let me look.').call('get_order_status', { order_number: '1042' }).end('tool_calls'),
      (write) => write.text('It is on its way.').end(),
    );
    const { call, done } = await orderTurn({ ok: true, result: { status: 'Sent' } });
    assert.deepEqual([call.name, call.arguments], ['get_order_status', { order_number: '1042' }]);
    assert.equal(done.message.content, 'Let me look.\n\nIt is on its way.');
    assert.equal(done.outcome, 'answered');
    const [, second] = model.requests;
    assert.deepEqual(second!.messages.at(-1), {
      role: 'tool',
      tool_call_id: 'fn_0_get_order_status',
      content: JSON.stringify({ status: 'Sent' }),
    });
    const kept = await tested.service.db
      .select()
      .from(actionCalls)
      .where(eq(actionCalls.conversationId, done.conversation_id));
    assert.deepEqual(
      kept.map(({ outcome, inputs }) => [outcome, inputs]),
      [['worked', ['order_number']]],
    );
  });

  it('that failed is told as such', async () => {
    model.answers(
      (write) => write.call('get_order_status', { order_number: '1042' }).end('tool_calls'),
      (write) => write.text('I could not look it up.').end(),
    );
    const { done } = await orderTurn({ ok: false, error: 'boom' });
    assert.equal(done.outcome, 'tool_failed');
    assert.equal(model.requests[1]!.messages.at(-1)!.content, JSON.stringify({ error: 'It did not work.' }));
  });

  it('is not offered where the app did not offer it', async () => {
    model.answers((write) => write.text('What is the number?').end());
    await streamed('Where is my order 1042?');
    const names = model.requests[0]!.tools!.map((each) => each.function.name);
    assert.ok(names.includes('custom_order_request'));
    assert.equal(names.includes('get_order_status'), false);
  });

  it('called with what does not fit is not run; the model is told why', async () => {
    model.answers(
      (write) => write.call('get_order_status', { order: 1042 }).end('tool_calls'),
      (write) => write.text('Which number?').end(),
    );
    const { call, done } = await orderTurn({ ok: true });
    assert.equal(call, undefined);
    assert.equal(done.message.content, 'Which number?');
    assert.match(model.requests[1]!.messages.at(-1)!.content, /required property 'order_number'/);
  });

  it('is called five times at most', async () => {
    model.answers((write, { tool_choice }) =>
      tool_choice === 'none'
        ? write.text('That is all.').end()
        : write.call('get_order_status', { order_number: '1' }).end('tool_calls'),
    );
    const { done } = await orderTurn({ ok: true, result: { status: 'Sent' } });
    assert.equal(model.requests.length, 5);
    assert.equal(done.message.content, 'That is all.');
  });
});

describe('an http action that a model calls', () => {
  let shop: Server;
  let asked: { url: string; body: string }[];
  before(async () => {
    asked = [];
    shop = createServer((request, response) => {
      void (async () => {
        let body = '';
        for await (const piece of request) body += piece;
        asked.push({ url: request.url ?? '', body });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"points": 120}');
      })();
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const at = new Date(tested.clock.now);
    await tested.service.db.insert(actions).values({
      id: 'act_points',
      agentId: tested.agentId,
      name: 'loyalty_points',
      kind: 'http',
      method: 'GET',
      urlTemplate: `http://${host}/points/{card}`,
      inputSchema: { type: 'object', properties: { card: { type: 'string' } }, required: ['card'] },
      descriptionEn: 'Reads how many points a loyalty card holds.',
      enabled: true,
      createdAt: at,
      updatedAt: at,
    });
    const { hostOf } = await import('../../service/resources/action.ts');
    const verified = { agentId: tested.agentId, host: hostOf(`http://${host}/points/x`), verifiedAt: at };
    await tested.service.db.insert(verifiedHosts).values(verified);
  });
  after(() => shop.close());
  beforeEach(() => {
    asked.length = 0;
  });

  it('is run, its result is told, and the call is kept', async () => {
    model.answers(
      (write) => write.call('loyalty_points', { card: 'A17' }).end('tool_calls'),
      (write) => write.text('You have 120 points.').end(),
    );
    const { done } = await streamed('How many points are on my card A17?');
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['/points/A17'],
    );
    assert.equal(done.message.content, 'You have 120 points.');
    assert.equal(done.message.blocks[0].type, 'status_card');
    assert.equal(model.requests[1]!.messages.at(-1)!.content, '{"points":120}');
    const kept = await tested.service.db.select().from(actionCalls).where(eq(actionCalls.actionId, 'act_points'));
    assert.deepEqual(
      kept.map(({ outcome }) => outcome),
      ['worked'],
    );
  });

  it('is not run again when the model fails after it: the result is told without one', async () => {
    model.answers(
      (write) => write.call('loyalty_points', { card: 'A17' }).end('tool_calls'),
      ({ response }) => void response.writeHead(500).end(),
    );
    const { done } = await streamed('How many points are on my card A17?');
    assert.equal(asked.length, 1);
    assert.match(done.message.content, /points: 120/);
    assert.deepEqual([done.degraded, done.outcome], [true, 'answered']);
  });
});

describe('a model that fails is answered for from the knowledge, degraded', () => {
  const failures: Record<string, Respond> = {
    'with a 500': ({ response }) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{}}');
    },
    'with a page instead of a stream': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    },
    'with garbage': (write) => {
      write.raw('data: {"choices": [{"delta"\n\ndata: ]]]\n\n');
      write.response.end();
    },
    'with nothing at all': (write) => write.end(),
    'by breaking the connection': (write) => {
      write.response.destroy();
    },
    'by silence before the first byte': (write) => write.closed,
    'by a call that cannot be read': (write) => write.call('get_order_status', '{"order_number": ').end('tool_calls'),
  };
  for (const [how, respond] of Object.entries(failures)) {
    it(how, async () => {
      model.answers(respond);
      const { done, text } = await streamed(hours);
      assert.equal(done.degraded, true);
      assert.equal(done.outcome, 'answered');
      assert.equal(text, done.message.content);
      assert.ok(done.sources.length > 0);
      assert.match(text, /Saturday|Thursday|open/i);
      assert.ok(tested.log.some(({ event, level }) => event === 'model_failure' && level === 'warn'));
    });
  }

  for (const [how, breakOff] of [
    ['cut in the middle', (write: ModelWriter) => write.response.socket!.end()],
    ['that ends without an end', (write: ModelWriter) => write.response.end()],
    ['that goes silent', (write: ModelWriter) => write.closed],
  ] as const) {
    it(`an answer ${how} is replaced by a whole one`, async () => {
      model.answers(async (write) => {
        await breakOff(write.text('We open at three in the'));
      });
      const { done, text } = await streamed(hours);
      assert.equal(done.degraded, true);
      assert.match(text, /^We open at three in/);
      assert.doesNotMatch(done.message.content, /three in/);
      const [kept] = await tested.service.db.select().from(messages).where(eq(messages.id, done.message.id));
      assert.equal(kept!.content, done.message.content);
    });
  }

  it('a slow first byte is waited for', async () => {
    model.answers(async (write) => {
      write.start();
      await new Promise((resolve) => setTimeout(resolve, 150));
      write.text('At ten [1].').end();
    });
    const { done } = await streamed(hours);
    assert.deepEqual([done.message.content, done.degraded], ['At ten.', false]);
  });

  it('an answer cut for its length says so', async () => {
    model.answers((write) => write.text('At ten and').end('length'));
    const { done } = await streamed(hours);
    assert.deepEqual([done.message.content, done.degraded], ['At ten and', true]);
  });
});

describe('a visitor who leaves', () => {
  for (const [when, begin, said] of [
    ['in the middle of the text', (write: ModelWriter) => write.text('We open at ', 'ten o’clock '), 'We open at'],
    ['before there is any', (write: ModelWriter) => write.start(), undefined],
  ] as const) {
    it(`${when} ends the model’s request as well`, async () => {
      let closed = false;
      const begun = new Promise<void>((resolve) => {
        model.answers(async (write) => {
          begin(write);
          resolve();
          await write.closed;
          closed = true;
        });
      });
      const key = await tested.makeKey();
      const leaving = new AbortController();
      const listening = await tested.service.listen(0);
      const response = await fetch(`${listening.baseUrl}${tested.chatPath}`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: hours }], stream: true }),
      });
      await begun;
      if (said !== undefined) {
        const reader = response.body!.getReader();
        for (let heard = ''; !heard.includes(said);) heard += new TextDecoder().decode((await reader.read()).value);
      }
      leaving.abort();
      await eventually(async () => closed || undefined);
      const last = await eventually(async () => {
        const all = await tested.service.db.select().from(conversations).orderBy(conversations.startedAt);
        const latest = all.at(-1)!;
        return latest.turnHolder === null ? latest : undefined;
      });
      const kept = await tested.service.db.select().from(messages).where(eq(messages.conversationId, last.id));
      const answers = kept.filter(({ role }) => role === 'assistant');
      assert.deepEqual(
        answers.map(({ outcome }) => outcome),
        said === undefined ? [] : [null],
      );
      if (said !== undefined) assert.ok(answers[0]!.content.startsWith(said));
      assert.equal(
        tested.log.some(({ event }) => event === 'model_failure' || event === 'stream_failure'),
        false,
      );
      await listening.close();
    });
  }
});

describe('the environment', () => {
  const url = 'http://127.0.0.1:1/v1';
  it('names a model by its URL and name, and perhaps a key', () => {
    assert.equal(modelFromEnvironment({}), undefined);
    assert.deepEqual(modelFromEnvironment({ WORKSPACE_MODEL_URL: `${url}/`, WORKSPACE_MODEL_NAME: 'small' }), {
      url,
      name: 'small',
    });
    const all = { WORKSPACE_MODEL_URL: url, WORKSPACE_MODEL_NAME: 'small', WORKSPACE_MODEL_KEY: 'k' };
    assert.deepEqual(modelFromEnvironment(all), { url, name: 'small', key: 'k' });
  });
  it('that names it by halves is refused', () => {
    assert.throws(() => modelFromEnvironment({ WORKSPACE_MODEL_URL: url }), /Set both/);
    assert.throws(() => modelFromEnvironment({ WORKSPACE_MODEL_KEY: 'k' }), /Set both/);
    assert.throws(
      () => modelFromEnvironment({ WORKSPACE_MODEL_URL: 'localhost:1', WORKSPACE_MODEL_NAME: 'small' }),
      /not an http/,
    );
  });
});
