import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { JsonObject, ToolResultRequest } from '../../../contract/wire.ts';
import type { ToolRun } from '../../../src/chat/state/state.ts';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { PageTools } from '../../../src/chat/tools/page-tools.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';
import { FakeModelContext } from '../../support/fakes/fake-model-context.ts';

describe('The page’s WebMCP tools', () => {
  let context: FakeModelContext;
  let registry: ToolRegistry;
  let tools: ClientTools;
  let pageTools: PageTools;
  let clock: FakeClock;
  let warnings: string[];
  let results: ToolResultRequest[];
  /** The names of the tools that ran, and the calls that the visitor was asked about. */
  let log: string[];

  const addTool = (name: string, execute: (args: unknown) => unknown = (args) => args, inputSchema?: JsonObject) =>
    context.registerTool({
      name,
      description: name,
      ...(inputSchema && { inputSchema }),
      execute: (args) => {
        log.push(`run ${name}`);
        return execute(args);
      },
    });

  /** Runs a call of the agent. The visitor decides at once, or never with null. */
  const call = async (
    name: string,
    args: JsonObject,
    {
      callId = 'call_1',
      isAllowed = true,
      onReport = () => {},
    }: { callId?: string; isAllowed?: boolean | null; onReport?: (run: ToolRun) => void } = {},
  ) => {
    const data = { conversation_id: 'c', call_id: callId, name, arguments: args, timeout_ms: 1000 };
    await tools.run(data, {
      clock,
      random: () => 0,
      signal: new AbortController().signal,
      report: (run) => {
        onReport(run);
        if (run.phase !== 'asked') return;
        log.push(`ask ${callId}`);
        // The prompt is shown before the visitor can decide.
        if (isAllowed !== null) queueMicrotask(() => tools.consent(callId, isAllowed));
      },
      archive: { changeCalls: async () => {} },
      client: { post: async (_path, body) => void results.push(JSON.parse(body) as ToolResultRequest) },
    });
    return results.at(-1);
  };

  beforeEach(() => {
    context = new FakeModelContext();
    registry = new ToolRegistry(() => {});
    tools = new ClientTools(registry);
    clock = new FakeClock();
    [warnings, results, log] = [[], [], []];
    mock.method(console, 'warn', (text: string) => warnings.push(text));
    mock.method(console, 'error', () => {});
    pageTools = new PageTools(context, registry);
  });

  afterEach(() => {
    pageTools.stop();
    mock.restoreAll();
  });

  it('come after the tools that are registered with the widget, and follow the page’s additions and removals', async () => {
    registry.register({ name: 'get_cart', run: () => ({}) });
    const registration = new AbortController();
    addTool('find_shop');
    context.registerTool({ name: 'show_map', description: 'Map', execute: async () => ({}) }, registration);
    await settle();
    assert.deepEqual(tools.names, ['get_cart', 'find_shop', 'show_map']);
    registration.abort();
    await settle();
    assert.deepEqual(tools.names, ['get_cart', 'find_shop']);
    pageTools.stop();
    addTool('later_tool');
    await settle();
    assert.deepEqual(tools.names, ['get_cart']);
  });

  it('run only after the visitor has allowed the call', async () => {
    addTool('find_shop', () => ({ city: 'Muscat' }));
    await settle();
    const refused = await call('find_shop', {}, { callId: 'call_1', isAllowed: false });
    assert.equal(refused?.error, 'refused_by_visitor');
    const allowed = await call('find_shop', {}, { callId: 'call_2' });
    assert.deepEqual(allowed?.result, { city: 'Muscat' });
    assert.deepEqual(log, ['ask call_1', 'ask call_2', 'run find_shop']);
  });

  it('are shown by their title, or else by their description', async () => {
    const shown: unknown[] = [];
    registry.register({
      name: 'one',
      title: { en: 'Order status', ar: 'حالة الطلب' },
      description: 'x',
      run: () => ({}),
    });
    registry.register({ name: 'two', title: '', description: 'The weather', run: () => ({}) });
    registry.register({ name: 'three', run: () => ({}) });
    for (const name of ['one', 'two', 'three'])
      await call(name, {}, { callId: name, onReport: ({ title }) => shown.push(title) });
    assert.deepEqual(shown, [
      ...Array.from({ length: 2 }, () => ({ en: 'Order status', ar: 'حالة الطلب' })),
      'The weather',
      'The weather',
      undefined,
      undefined,
    ]);
  });

  it('are shown with the labels of their arguments, or else with the names as words', async () => {
    const labels = { order_number: { en: 'Order number', ar: 'رقم الطلب' } };
    registry.register({ name: 'cancel', labels, confirm: true, run: () => ({}) });
    let shown: unknown;
    const onReport = ({ phase, values }: ToolRun) => {
      if (phase === 'asked') shown = values;
    };
    await call('cancel', { order_number: '7', is_gift: true }, { onReport });
    assert.deepEqual(shown, [
      [labels.order_number, '7'],
      ['is gift', 'true'],
    ]);
  });

  it('run once for each call id', async () => {
    addTool('find_shop');
    await settle();
    await call('find_shop', {});
    await call('find_shop', {});
    assert.deepEqual(log, ['ask call_1', 'run find_shop']);
    assert.equal(results.length, 1);
  });

  it('do not run, and the visitor is not asked, when the arguments do not match the schema', async () => {
    const schema = { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] };
    addTool('find_shop', undefined, schema);
    await settle();
    for (const [index, args] of [{}, { count: 'two' }, { count: 0 }].entries()) {
      assert.equal((await call('find_shop', args, { callId: `call_${index}` }))?.error, 'invalid_arguments');
    }
    assert.deepEqual(log, []);
    const valid = await call('find_shop', { count: 2 }, { callId: 'call_3' });
    assert.deepEqual(valid?.result, { count: 2 });
  });

  it('fail with invalid_arguments or tool_error, and never run, when their schema itself is broken', async () => {
    addTool('find_shop', undefined, { $ref: 'https://example.com/missing.json' });
    await settle();
    const result = await call('find_shop', {});
    assert.equal(result?.ok, false);
    assert.deepEqual(log, []);
  });

  it('end at the deadline of the call, also while the visitor is asked', async () => {
    addTool('find_shop', () => new Promise(() => {}));
    await settle();
    for (const [callId, isAllowed] of [
      ['call_1', true],
      ['call_2', null],
    ] as const) {
      const ended = call('find_shop', {}, { callId, isAllowed });
      await settle();
      await clock.advance(1000);
      assert.equal((await ended)?.error, 'timeout');
    }
  });

  it('return texts and nothing as objects, and at most 8,000 characters', async () => {
    const values = { text: 'Open until nine', nothing: undefined, list: [1], large: { text: 'x'.repeat(8000) } };
    for (const [name, value] of Object.entries(values)) addTool(name, () => value);
    await settle();
    assert.deepEqual((await call('text', {}, { callId: '1' }))?.result, { value: 'Open until nine' });
    assert.deepEqual((await call('nothing', {}, { callId: '2' }))?.result, {});
    assert.deepEqual((await call('list', {}, { callId: '3' }))?.result, { value: [1] });
    assert.equal((await call('large', {}, { callId: '4' }))?.error, 'result_too_large');
  });

  it('are skipped with one line each when their name is not in snake_case', async () => {
    for (const name of ['findShop', 'find-shop', 'find_shop']) addTool(name);
    await settle();
    await pageTools.refresh();
    assert.deepEqual(tools.names, ['find_shop']);
    assert.equal(warnings.length, 2);
    assert.match(warnings[0]!, /“find-shop”.*snake_case/);
  });

  it('are skipped with one line each after the 20th, and make room for registered tools', async () => {
    for (let index = 10; index < 31; index++) addTool(`tool_${index}`);
    await settle();
    assert.equal(tools.names.length, 20);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /“tool_30”.*20 tools/);
    registry.register({ name: 'get_cart', run: () => ({}) });
    assert.equal(tools.names.length, 20);
    await pageTools.refresh();
    assert.deepEqual(tools.names.slice(0, 2), ['get_cart', 'tool_10']);
    assert.equal(tools.names.length, 20);
    assert.equal(warnings.length, 2);
  });

  it('leave their place to a registered tool of the same name, which needs no consent', async () => {
    addTool('get_cart', () => ({ from: 'page' }));
    await settle();
    registry.register({ name: 'get_cart', run: () => ({ from: 'widget' }) });
    await pageTools.refresh();
    assert.deepEqual(tools.names, ['get_cart']);
    assert.deepEqual((await call('get_cart', {}))?.result, { from: 'widget' });
    assert.deepEqual(log, []);
  });
});
