import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { createToolCalls, type ToolCalls } from '../../service/chat/tool-calls.ts';
import { actions, conversations, messages, toolCalls } from '../../service/db/schema.ts';
import type { Db } from '../../service/db/database.ts';
import { localSignals } from '../../service/db/signals.ts';
import { argumentNumbers } from '../../service/knowledge/reference-numbers.ts';
import { eventually, useTestService } from './support.ts';

const tested = useTestService({ keepAliveMs: 5 });

const tools = ['get_order_status', 'show_product'];
const question = 'Where is my order 1042?';

const answered = (content: string, result: object, more: object = {}) =>
  tested.withTool(content, { ok: true, result }, { client_tools: tools, ...more });

describe('the assistant, with a client tool', () => {
  it('calls a client tool with its arguments and uses the result in the reply', async () => {
    const result = { status: 'Out for delivery', carrier: 'Oman Post', arrives: 'today' };
    const { call, done, events } = await answered(question, result);
    // The visitor is asked first, and needs time to read the question.
    assert.equal(call.timeout_ms, 120_000);
    assert.match(call.call_id, /^call_/);
    assert.match(done.message.content, /order 1042: \*\*Out for delivery\*\*/);
    assert.equal(done.message.blocks[0].type, 'status_card');
    assert.deepEqual(done.message.blocks[0].rows[1], { label: 'Carrier', value: 'Oman Post' });
    assert.ok(
      events.findIndex(({ event }) => event === 'client_tool') < events.findIndex(({ event }) => event === 'delta'),
    );
  });

  it('reads Arabic digits and replies in Arabic', async () => {
    const { call, done } = await answered('وين وصل طلبي رقم ١٠٤٢؟', { status: 'في الطريق' });
    assert.deepEqual(call.arguments, { order_number: '1042' });
    assert.match(done.message.content, /طلبك رقم 1042: \*\*في الطريق\*\*/);
  });

  it('takes no date for an order number', async () => {
    const { call } = await answered('Where is my order 1042 from 2026-11-20?', { status: 'Sent' });
    assert.deepEqual(call?.arguments, { order_number: '1042' });
  });

  it('asks for a missing argument before it calls the tool', async () => {
    const key = await tested.makeKey();
    const first = (await tested.streamed('Where is my order?', { key, client_tools: tools })).at(-1)!.data;
    assert.match(first.message.content, /order number/);
    const second = await answered('PC-77', { found: false }, { key, conversation_id: first.conversation_id });
    assert.deepEqual(second.call.arguments, { order_number: 'PC-77' });
    assert.match(second.done.message.content, /no order with the number PC-77/);
  });

  /** Opens calls in a process of its own, whose database the test can break. */
  const openCall = async (config: JsonObject, signal = new AbortController().signal) => {
    const { conversation_id: conversationId } = (await tested.chat('Hello')).body;
    const [conversation] = await tested.rows(conversations, eq(conversations.id, conversationId));
    const [action] = await tested.rows(actions, eq(actions.name, 'get_order_status'));
    const database = { isBroken: false };
    const db = new Proxy(tested.service.db, {
      get(target, name: keyof Db) {
        if (database.isBroken) throw new Error('Connection terminated');
        return target[name];
      },
    });
    const signals = localSignals();
    const [one, ahead] = [0, 6000].map((difference) =>
      createToolCalls(db, signals, () => tested.clock.now + difference),
    ) as [ToolCalls, ToolCalls];
    const call = (await one.open(conversation!, { ...action!, config }, {}, signal))!;
    const submit = (at: ToolCalls, result: JsonObject) =>
      at.submitResult({ conversationId, callId: call.id, ok: true, result });
    return { call, one, ahead, submit, database, signals };
  };

  it('takes a result that reaches another process, whose clock is seconds ahead', async () => {
    const { call, ahead, submit } = await openCall({ timeout_ms: 4000 });
    const result = { status: 'Sent' };
    await submit(ahead, result);
    assert.deepEqual(await call.outcome, { ok: true, result });
  });

  it('takes a result after the database was away for a moment', async () => {
    const { call, one, submit, database, signals } = await openCall({ timeout_ms: 4000 });
    database.isBroken = true;
    await signals.send(tested.service.db, call.id);
    await setImmediate();
    database.isBroken = false;
    const result = { status: 'Sent' };
    await submit(one, result);
    assert.deepEqual(await call.outcome, { ok: true, result });
  });

  it('does not end the process when the visitor disconnects while the database is away', async () => {
    const leaving = new AbortController();
    const { call, database } = await openCall({ timeout_ms: 4000 }, leaving.signal);
    database.isBroken = true;
    leaving.abort();
    // A rejection that has no handler by now would end the process.
    await setImmediate();
    await assert.rejects(call.outcome, /Connection terminated/);
  });

  it('stores the first 120 characters of the error of a client tool', async () => {
    const error = 'x'.repeat(119);
    const { call } = await tested.withTool(question, { ok: false, error: `${error}yz` }, { client_tools: tools });
    const [row] = await tested.rows(toolCalls, eq(toolCalls.id, call.call_id));
    assert.equal(row!.error, `${error}y`);
  });

  it('stops waiting for a client tool when the visitor disconnects', async () => {
    const key = await tested.makeKey();
    let call: any;
    for await (const { event, data } of tested.stream(question, { key, client_tools: tools })) {
      if (event !== 'client_tool') continue;
      call = data;
      break;
    }
    const left = await eventually(async () => {
      const [row] = await tested.rows(toolCalls, eq(toolCalls.id, call.call_id));
      return row!.status === 'open' ? undefined : row!.status;
    });
    assert.equal(left, 'abandoned');
    const said = await tested.rows(messages, eq(messages.conversationId, call.conversation_id));
    assert.equal(said.length, 1, 'no reply is stored when no text was streamed');
  });
});

describe('a number that names one thing of the visitor', () => {
  for (const [text, expected] of [
    ['Where is my order 1042?', ['1042']],
    ['Where is order number PC-1042?', ['PC-1042']],
    ['Where is my order #PC1042?', ['PC1042']],
    ['Track my order A17-B', ['A17-B']],
    ['where is order pc-1042', ['pc-1042']],
    ['My parcel #77-A has not arrived', ['77-A']],
    ['Has #1042 been sent?', ['1042']],
    ['my order, number: 1042, is late', ['1042']],
    ['The order id is A17', ['A17']],
    ['أين طلبي ١٠٤٢؟', ['1042']],
    ['أين طلبي رقم 1042؟', ['1042']],
    ['وين وصل طلبي رقم PC-1042؟', ['PC-1042']],
    ['أين طلبي A17-B؟', ['A17-B']],
    ['رقم الطلب هو PC-1042', ['PC-1042']],
    ['وين شحنتي 88', ['88']],
    ['Is bay 1042 free?', []],
    ['I would like to order 12 cups', []],
    ['An order of 12 plates', []],
    ['We are 15 people', []],
    ['What is on form 1042?', []],
    ['كم سعر 12 كوبًا؟', []],
  ] as const) {
    it(`is ${expected.length === 0 ? 'not' : expected[0]} in “${text}”`, () =>
      assert.deepEqual(argumentNumbers(text), expected));
  }
});

describe('an order number that a source contains', () => {
  for (const [question, number] of [
    ['Where is my order 1042?', '1042'],
    ['Track my order PC-7', 'PC-7'],
    ['أين طلبي 1042؟', '1042'],
  ] as const) {
    it(`is looked up: ${question}`, async () => {
      const { secretKey: key } = tested;
      const path = await tested.addText(
        `## Bay ${number}\n\nThe bay ${number} is for loading. الرصيف ${number} للتحميل.\n\n## Order forms\n\nForm ${number} is in the office.`,
      );
      tested.nextMinute();
      const result = { status: 'Sent' };
      const { call } = await tested.withTool(question, { ok: true, result }, { key, client_tools: tools });
      assert.deepEqual(call.arguments, { order_number: number });
      await tested.api('DELETE', path);
    });
  }

  it('still finds the passage about it when the question is about the passage', async () => {
    await tested.addText('## Bay 1042\n\nThe bay 1042 is for loading.');
    tested.nextMinute();
    const reply = await tested.chat('What is bay 1042 for?', { client_tools: tools });
    assert.match(reply.body.message!.content, /for loading/);
  });
});
