/** The built-in replies in a workspace that has none of the demo's knowledge. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Block, OptionsBlock } from '../../contract/wire.ts';
import { useTestService } from './support.ts';

const tested = useTestService({ workspace: 'empty' });
const key = tested.secretKey;
const ofTheDemo = /pottery|studio|shop|class|clay|الاستوديو|المتجر|حصة|حصص/i;

const optionsOf = (blocks: Block[] | null | undefined): OptionsBlock['options'][number]['label'][] => {
  return (blocks ?? []).flatMap((block) => (block.type === 'options' ? block.options.map(({ label }) => label) : []));
};

describe('a workspace without knowledge', () => {
  for (const message of [
    'Hello',
    'What can you do?',
    'Where is the moon?',
    'مرحبا',
    'ماذا يمكنك أن تفعل؟',
    'أين القمر؟',
  ]) {
    it(`replies to “${message}” without words of the demo and without options`, async () => {
      const { body } = await tested.chat(message, { key });
      assert.doesNotMatch(body.message!.content, ofTheDemo);
      assert.deepEqual(optionsOf(body.message!.blocks), []);
    });
  }
});

describe('a workspace with knowledge and actions of its own', () => {
  before(async () => {
    tested.nextMinute();
    await tested.addText(
      '## Invoices\n\nInvoices are sent on the first day of the month.\n\n## Seats\n\nEach seat costs 5 USD.',
    );
    await tested.addText('## الفواتير\n\nنرسل الفواتير في أول كل شهر.');
  });

  it('offers the headings of its sources', async () => {
    const english = await tested.chat('Hello', { key });
    assert.match(english.body.message!.content, /My assistant/);
    assert.deepEqual(optionsOf(english.body.message!.blocks), ['Invoices', 'Seats']);
    const arabic = await tested.chat('مرحبا', { key });
    assert.deepEqual(optionsOf(arabic.body.message!.blocks), ['الفواتير']);
  });

  it('names its subjects when it refuses', async () => {
    const { body } = await tested.chat('Where is the moon?', { key });
    assert.equal(body.outcome, 'refused');
    assert.match(body.message!.content, /“Invoices”, “Seats”/);
  });

  it('offers its actions, and runs a client tool that is not about orders', async () => {
    const action = {
      name: 'open_report',
      kind: 'client_tool',
      input_schema: { type: 'object', properties: { year: { type: 'integer' } } },
      config: { asked_by: ['Open my report for the year'] },
    };
    const made = await tested.api('POST', `/agents/${tested.agentId}/actions`, action);
    assert.equal(made.status, 201);
    const enabled = await tested.api('PATCH', `/agents/${tested.agentId}/actions/${made.body.id}`, { enabled: true });
    assert.equal(enabled.status, 200);
    const offered = (await tested.streamed('Hello', { key, client_tools: ['open_report'] })).at(-1)!.data;
    assert.deepEqual(optionsOf(offered.message.blocks)[0], 'Open my report for the year');
    const init = { key, client_tools: ['open_report'] };
    const { call, done } = await tested.withTool(
      'Open my report for the year 2025',
      { ok: true, result: { pages: 3 } },
      init,
    );
    assert.deepEqual(call.arguments, { year: 2025 });
    assert.deepEqual(done.message.blocks[0].rows, [{ label: 'pages', value: '3' }]);
  });
});
