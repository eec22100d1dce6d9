import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FormBlock, OpenTimesBlock, OptionsBlock, ProductsBlock } from '../../contract/wire.ts';
import { useTestService } from './support.ts';
import { valuesOf } from '../support/values-of.ts';

const tested = useTestService();

const blockOf = async <Block>(content: string, type: string, key?: string) => {
  const { body } = await tested.chat(content, key === undefined ? {} : { key });
  const block = body.message!.blocks?.find((each) => each.type === type) as Block | undefined;
  assert.ok(block, `${content}: ${JSON.stringify(body)}`);
  return { block, body };
};

describe('the assistant, asked for a custom order', () => {
  for (const [wish, name, quantity] of [
    ['I would like to place a custom order', 'Name', 'How many'],
    ['Can you make something custom for me?', 'Name', 'How many'],
    ['أريد طلبًا خاصًا', 'الاسم', 'العدد'],
    ['أبغى أطلب قطع خاصة', 'الاسم', 'العدد'],
  ] as const) {
    it(`shows the form for “${wish}”`, async () => {
      const { block, body } = await blockOf<FormBlock>(wish, 'form');
      assert.equal(body.outcome, 'form');
      assert.equal(block.action_id, 'act_custom_order');
      assert.deepEqual(valuesOf(block.fields, 'kind'), ['text', 'phone', 'email', 'select', 'number', 'date']);
      const labels = block.fields.flatMap(({ label_en, label_ar }) => [label_en, label_ar]);
      assert.ok(labels.includes(name) && labels.includes(quantity));
    });
  }

  it('accepts a form that is submitted in Arabic', async () => {
    const key = await tested.makeKey();
    const { body } = await blockOf('أريد طلبًا خاصًا', 'form', key);
    const { body: taken } = await tested.chat('الاسم: عائشة\nالهاتف: 90000000\nنوع القطع: Vase\nالعدد: 6', {
      key,
      conversation_id: body.conversation_id,
    });
    assert.match(taken.message!.content, /شكرًا لك يا عائشة/);
  });

  it('replies to a question about custom orders without showing the form', async () => {
    const { body } = await tested.chat('How long does a custom order take?');
    assert.equal(body.message!.blocks, null);
  });
});

describe('the assistant, asked for a booking', () => {
  for (const wish of ['I want to book a class', 'Which class times are free?', 'أريد حجز حصة', 'احجز لي حصة']) {
    it(`offers the next free times for “${wish}”`, async () => {
      const { block } = await blockOf<OpenTimesBlock>(wish, 'open_times');
      assert.equal(block.timezone, 'Asia/Muscat');
      assert.equal(block.times.length, 6);
      assert.ok(block.times.every(({ start }) => Date.parse(start) > tested.clock.now && start.endsWith('+04:00')));
    });
  }

  it('offers times again when the chosen time was not offered', async () => {
    const key = await tested.makeKey();
    const { body } = await blockOf('Book a class', 'open_times', key);
    const { body: again } = await tested.chat('2026-10-07T03:00:00+04:00', {
      key,
      conversation_id: body.conversation_id,
    });
    assert.match(again.message!.content, /no longer free/);
    assert.equal(again.message!.blocks![0]!.type, 'open_times');
  });

  it('replies to a question about booking without offering times', async () => {
    const { body } = await tested.chat('How do I book a class?');
    assert.match(body.message!.content, /right here in the chat/);
  });
});

describe('the assistant, asked about the shop', () => {
  for (const [wish, id] of [
    ['Do you sell coffee cups?', 'prd_coffee_cups'],
    ['Show me your incense burners', 'prd_incense_burner'],
    ['I would like to buy a mug', 'prd_mug'],
    ['هل تبيعون مبخرة؟', 'prd_incense_burner'],
    ['أبغى أشتري مزهرية', 'prd_vase'],
  ] as const) {
    it(`finds the products for “${wish}”`, async () => {
      const { block } = await blockOf<ProductsBlock>(wish, 'products');
      assert.equal(block.items[0]!.id, id);
      assert.equal(block.items[0]!.currency, 'OMR');
    });
  }

  it('opens the chosen product on the page when the page offers the tool', async () => {
    const { call, done } = await tested.withTool('Palm mug prd_mug', { ok: true }, { client_tools: ['show_product'] });
    assert.deepEqual(call.arguments, { product_id: 'prd_mug' });
    assert.match(done.message.content, /opened \*\*Palm mug\*\* on the page/);
    const { body } = await tested.chat('Palm mug prd_mug');
    assert.match(body.message!.content, /6\.500/);
    assert.equal(body.message!.blocks![0]!.type, 'links');
  });
});

it('replies to a greeting with options, and understands each option', async () => {
  for (const greeting of ['Hello', 'مرحبا']) {
    const { block } = await blockOf<OptionsBlock>(greeting, 'options');
    assert.equal(block.options.length, 4);
    for (const { value } of block.options) {
      const { body } = await tested.chat(value!);
      assert.equal(body.refused, false, value);
    }
  }
});
