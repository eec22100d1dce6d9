import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import type { ClientTool } from '../../../src/chat/tools/client-tool.ts';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

/** Runs one call. Returns the error that the agent gets, and the errors and warnings of the console. */
const fail = async (tool: Partial<ClientTool>, { isStopped = false } = {}) => {
  const clock = new FakeClock();
  const registry = new ToolRegistry(() => {});
  registry.register({ name: 'look_up', run: () => ({}), ...tool });
  const tools = new ClientTools(registry);
  const turn = new AbortController();
  const posted: { error?: string }[] = [];
  const logs = [mock.method(console, 'error', () => {}), mock.method(console, 'warn', () => {})];
  try {
    const call = { call_id: 'c', conversation_id: 'cnv', name: 'look_up', arguments: {}, timeout_ms: 1000 };
    const done = tools.run(call, {
      clock,
      random: () => 0,
      signal: turn.signal,
      report: () => {},
      archive: { changeCalls: async (change) => void change([]) },
      client: { post: async (_path, body) => void posted.push(JSON.parse(body)) },
    });
    await settle();
    if (isStopped) turn.abort();
    else tools.consent('c', false);
    await clock.advance(1000);
    await done;
    const [errors, warnings] = logs.map(({ mock: { calls } }) => calls.map((line) => line.arguments.join(' ')));
    return { error: posted[0]?.error, errors: errors!, warnings: warnings! };
  } finally {
    for (const log of logs) log.mock.restore();
  }
};

it('A call that fails is in the console with its tool and its reason: what the page throws as an error, and the rest as warnings', async () => {
  const parameters: ClientTool['parameters'] = { '~standard': { validate: () => ({ issues: ['wrong'] }) } };
  const circular: Record<string, unknown> = {};
  circular['itself'] = circular;
  const cases: [tool: Partial<ClientTool>, error: string, reason: RegExp][] = [
    [{ run: () => Promise.reject(new Error('no shop')) }, 'tool_error', /look_up Error: no shop/],
    [{ parameters }, 'invalid_arguments', /look_up Error: invalid_arguments/],
    [{ run: () => circular }, 'invalid_result', /look_up Error: invalid_result/],
    [{ run: () => 'x'.repeat(8001) }, 'result_too_large', /look_up Error: result_too_large/],
    [{ run: () => new Promise(() => {}) }, 'timeout', /look_up Error: timeout/],
  ];
  for (const [tool, error, reason] of cases) {
    const failed = await fail(tool);
    assert.equal(failed.error, error);
    const [lines, others] =
      error === 'tool_error' ? [failed.errors, failed.warnings] : [failed.warnings, failed.errors];
    assert.deepEqual([lines.length, others.length], [1, 0], error);
    assert.match(lines[0]!, reason);
  }
});

it('A call that the visitor refuses or stops is not in the console', async () => {
  const refused = await fail({ confirm: true });
  assert.deepEqual(refused, { error: 'refused_by_visitor', errors: [], warnings: [] });
  const stopped = await fail({ run: () => new Promise(() => {}) }, { isStopped: true });
  assert.deepEqual([...stopped.errors, ...stopped.warnings], []);
});
