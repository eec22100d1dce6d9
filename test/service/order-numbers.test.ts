import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { argumentNumbers } from '../../service/knowledge/reference-numbers.ts';
import { useTestService } from './support.ts';

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

const tested = useTestService();
const tools = ['get_order_status'];

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
