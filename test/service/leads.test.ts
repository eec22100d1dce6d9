import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eq, sql } from 'drizzle-orm';
import type { OpenTimesBlock } from '../../contract/wire.ts';
import { bookings, conversations, events, messages } from '../../service/db/schema.ts';
import { orderText, submitOrder } from './scenarios.ts';
import { useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService();
const key = tested.secretKey;

const filled = orderText({
  Name: 'Aisha',
  Phone: '+968 9000 0000',
  Email: 'aisha@example.com',
  'What to make': 'tiles',
  'How many': '١٢',
});
const submit = (text = filled) => submitOrder(tested, text);

const firstLead = async () => {
  const { body } = await tested.api('GET', '/leads?limit=1');
  return body.data[0];
};

describe('the service, for a submitted lead form', () => {
  it('creates a submission and a lead, and marks the conversation', async () => {
    const response = await submit();
    assert.equal(response.outcome, 'answered');
    assert.match(response.message!.content, /Thank you, Aisha/);
    const { body: conversation } = await tested.api('GET', `/conversations/${response.conversation_id}`);
    assert.equal(conversation.lead_captured, true);
    const lead = await firstLead();
    assert.equal(lead.contact, 'aisha@example.com');
    assert.equal(lead.interest, 'Your custom order');
    assert.equal(lead.channel, 'api');
    assert.deepEqual(lead.data, {
      name: 'Aisha',
      phone: '+968 9000 0000',
      email: 'aisha@example.com',
      piece: 'Tiles',
      quantity: 12,
    });
    const { body } = await tested.api('GET', `/agents/${tested.agentId}/submissions`);
    assert.deepEqual(body.data[0].action, { id: 'act_custom_order', name: 'custom_order_request' });
    assert.deepEqual(body.data[0].data, lead.data);
  });

  it('creates one lead from a form that is submitted in two parts', async () => {
    const { body } = await tested.chat('I want a custom order', { key });
    const init = { key, conversation_id: body.conversation_id };
    const half = await tested.chat('Name: Huda\nHow many: 3', init);
    assert.deepEqual([half.body.lead_captured, half.body.outcome], [false, 'form']);
    assert.match(half.body.message!.content, /Phone, What to make/);
    const whole = await tested.chat('Phone: 91234567\nWhat to make: Vase', init);
    assert.equal(whole.body.lead_captured, true);
    const lead = await firstLead();
    assert.deepEqual(lead.data, { name: 'Huda', quantity: 3, phone: '91234567', piece: 'Vase' });
    assert.equal(lead.contact, '91234567');
  });

  for (const [field, text] of [
    ['Email', filled.replace('aisha@example.com', 'aisha at home')],
    ['How many', filled.replace('١٢', 'a few')],
    ['What to make', filled.replace('tiles', 'a boat')],
    ['Phone', filled.replace('+968 9000 0000', 'none')],
  ] as const) {
    it(`asks again for an invalid ${field}`, async () => {
      const response = await submit(text);
      assert.equal(response.outcome, 'form');
      assert.equal(response.message!.content, `Please check: ${field}.`);
      assert.equal(response.lead_captured, false);
    });
  }

  it('creates one lead when a form is submitted twice at once', async () => {
    const { body } = await tested.chat('I want a custom order', { key });
    const init = { key, conversation_id: body.conversation_id };
    await Promise.all([tested.chat(filled, init), tested.chat(filled, init)]);
    const { body: listed } = await tested.api('GET', '/leads?limit=100');
    const mine = listed.data.filter((lead: any) => lead.conversation_id === body.conversation_id);
    assert.equal(mine.length, 1);
  });
});

describe('the service, for a booking', () => {
  const wish = 'I want to book a class';
  const offered = async () => {
    const { body } = await tested.chat(wish, { key });
    return { id: body.conversation_id, block: body.message!.blocks![0] as OpenTimesBlock };
  };

  it('removes a booked time from the free times', async () => {
    const [first, second] = [await offered(), await offered()];
    const start = first.block.times[0]!.start;
    const { body: booked } = await tested.chat(`Saturday ${start}`, { key, conversation_id: first.id });
    assert.match(booked.message!.content, /You are booked/);
    assert.equal(booked.message!.blocks![0]!.type, 'status_card');
    const { body: late } = await tested.chat(`Saturday ${start}`, { key, conversation_id: second.id });
    assert.match(late.message!.content, /no longer free/);
    const left = late.message!.blocks![0] as OpenTimesBlock;
    assert.equal(left.times.length, 6);
    assert.ok(!left.times.some((time) => time.start === start));
    assert.ok(!(await offered()).block.times.some((time) => time.start === start));
  });

  it('gives a time to one of two visitors who book it at once', async () => {
    const both = await Promise.all([offered(), offered()]);
    const start = both[0].block.times[0]!.start;
    const responses = await Promise.all(both.map(({ id }) => tested.chat(start, { key, conversation_id: id })));
    const types = responses.map(({ body }) => body.message!.blocks![0]!.type).toSorted();
    assert.deepEqual(types, ['open_times', 'status_card']);
  });

  it('links a booking to the lead of its conversation in either order', async () => {
    const { id, block } = await offered();
    await tested.chat(block.times[0]!.start, { key, conversation_id: id });
    await submitOrder(tested, filled, { key, conversation_id: id });
    const lead = await firstLead();
    const [booking] = await tested.rows(bookings, eq(bookings.conversationId, id));
    assert.equal(booking!.leadId, lead.id);

    tested.nextMinute();
    assert.equal((await tested.api('DELETE', `/leads/${lead.id}`)).status, 204);
    const [left] = await tested.rows(bookings, eq(bookings.conversationId, id));
    assert.equal(left!.leadId, null);
  });
});

it('leaves nothing of a deleted lead in its stored events', async () => {
  await submit(filled.replace('Aisha', 'Deleted Person'));
  const { id, conversation_id } = await firstLead();
  // Another process may have a clock that is behind.
  tested.clock.now -= 25_000;
  await tested.api('PATCH', `/leads/${id}`, { notes: 'A private note' });
  const isOfLead = sql`${events.type} like 'lead.%' and ${events.data} ->> 'id' = ${id}`;
  assert.match(JSON.stringify(await tested.rows(events, isOfLead)), /Deleted Person.*A private note/s);
  await tested.api('DELETE', `/leads/${id}`);
  const kept = await tested.rows(events, isOfLead);
  assert.deepEqual(kept.map(({ type }) => type).toSorted(), ['lead.created', 'lead.updated']);
  for (const { data } of kept) {
    const { name, contact, notes, data: values } = data;
    assert.deepEqual([name, contact, notes, values, data['conversation_id']], [null, null, null, {}, conversation_id]);
  }
});

it('rejects a lead change with a nested value', async () => {
  await submit();
  const { id } = await firstLead();
  assert.equal((await tested.api('PATCH', `/leads/${id}`, { data: { piece: {} } })).status, 422);
});

it('runs two turns of a conversation one after the other', async () => {
  const { body } = await tested.chat('Hello', { key });
  const init = { key, conversation_id: body.conversation_id };
  await Promise.all([tested.chat('Where can I park?', init), tested.chat('Do you ship abroad?', init)]);
  const said = await tested.service.db
    .select({ role: messages.role })
    .from(messages)
    .where(eq(messages.conversationId, body.conversation_id))
    .orderBy(messages.position);
  assert.deepEqual(valuesOf(said, 'role'), ['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
});

it('keeps a handoff request when the visitor leaves during the reply', async () => {
  const id = (await tested.chat('Hello', { key })).body.conversation_id;
  for await (const { event } of tested.stream('I want to talk to a human', { key, conversation_id: id })) {
    if (event === 'delta') break;
  }
  const [row] = await tested.rows(conversations, eq(conversations.id, id));
  assert.equal(row!.state, 'handoff_requested');
});
