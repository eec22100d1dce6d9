import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../contract/wire.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import { runTool, type ToolRunHost } from '../../../src/chat/tools/run-tool.ts';
import type { ClientTool } from '../../../src/chat/tools/client-tool.ts';
import { FakeClock } from '../../support/fakes/fake-clock.ts';

describe('A tool of the page', () => {
  const call = { call_id: 'c1', conversation_id: 'cnv_1', timeout_ms: 1000, arguments: {} };
  const run = (tool: Partial<ClientTool>, host: Partial<ToolRunHost> = {}, args = {}) =>
    runTool(
      { name: 'a_tool', run: () => {}, ...tool },
      { ...call, arguments: args },
      {
        clock: new FakeClock(),
        signal: new AbortController().signal,
        askVisitor: async () => true,
        onRunning: () => {},
        ...host,
      },
    );

  it('stays registered when its first registration ends after a second one', () => {
    const registry = new ToolRegistry(() => {});
    const tool = { name: 'look_up', run: () => {} };
    const unregister = registry.register(tool);
    const ended = new AbortController();
    registry.register(tool, { signal: ended.signal });
    unregister();
    assert.deepEqual([...registry.tools], [tool]);
    ended.abort();
    assert.deepEqual([...registry.tools], []);
  });

  it('is registered only with a name in snake_case, a function and a Standard Schema', () => {
    const registry = new ToolRegistry(() => {});
    const run = () => {};
    const wrong: [tool: unknown, message: RegExp][] = [
      [{ name: 'getOrder', run }, /“getOrder”.*snake_case/],
      [{ run }, /“undefined”.*snake_case/],
      ['a_tool', /“undefined”.*snake_case/],
      [{ name: 'a_tool' }, /“a_tool”.*“run”/],
      [{ name: 'a_tool', handler: run }, /“a_tool”.*“run”/],
      [{ name: 'a_tool', run, parameters: { type: 'object' } }, /“a_tool”.*Standard Schema.*“parameters”/],
      [{ name: 'a_tool', run, parameters: '{}' }, /“a_tool”.*Standard Schema.*“parameters”/],
    ];
    for (const [tool, message] of wrong)
      assert.throws(() => registry.register(tool as ClientTool), { name: 'TypeError', message });
    assert.deepEqual(registry.tools, []);
  });

  it('returns an object, whatever its value becomes as JSON', async () => {
    const at = new Date(0);
    for (const [value, result] of [
      [at, { value: at.toISOString() }],
      [new URL('https://a.example/'), { value: 'https://a.example/' }],
      [{ at }, { at: at.toISOString() }],
      [[1], { value: [1] }],
      [5, { value: 5 }],
      [undefined, {}],
      [() => {}, {}],
    ])
      assert.deepEqual(await run({ run: () => value }), result);
  });

  it('may return 8,000 characters, as the service counts them', async () => {
    assert.deepEqual(await run({ run: () => '😀'.repeat(4500) }), { value: '😀'.repeat(4500) });
    await assert.rejects(run({ run: () => '😀'.repeat(8000) }), { message: 'result_too_large' });
  });

  it('asks a question that is a text, and the standard one in place of any other value', async () => {
    for (const [question, asked] of [
      ['Cancel it?', 'Cancel it?'],
      [Promise.resolve('Cancel it?'), null],
      [undefined, null],
      ['', null],
    ] as const) {
      const questions: unknown[] = [];
      const askVisitor: ToolRunHost['askVisitor'] = async (text) => {
        questions.push(text);
        return true;
      };
      await run({ confirm: () => question as string }, { askVisitor });
      assert.deepEqual(questions, [asked]);
    }
  });

  it('may be an object whose methods use `this`', async () => {
    const tool = {
      label: 'Order',
      confirm({ id }: JsonObject): string {
        return `Cancel ${this.label} ${String(id)}?`;
      },
      run({ id }: JsonObject): JsonObject {
        return { canceled: `${this.label} ${String(id)}` };
      },
    };
    const questions: unknown[] = [];
    const askVisitor: ToolRunHost['askVisitor'] = async (question) => {
      questions.push(question);
      return true;
    };
    assert.deepEqual(await run(tool, { askVisitor }, { id: 7 }), { canceled: 'Order 7' });
    assert.deepEqual(questions, ['Cancel Order 7?']);
  });

  it('shows its arguments without overrides of the direction', async () => {
    const asked: unknown[] = [];
    const askVisitor: ToolRunHost['askVisitor'] = async (_question, values) => {
      asked.push(values);
      return false;
    };
    const args = { 'to\u202e': 'shop \u202emoc.elpmaxe\u202c', list: ['\u202dx'] };
    await assert.rejects(run({ confirm: true }, { askVisitor }, args), { message: 'refused_by_visitor' });
    assert.deepEqual(asked, [
      [
        ['to', 'shop moc.elpmaxe\u202c'],
        ['list', '["x"]'],
      ],
    ]);
  });
});
