import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ToolRun } from '../../../src/chat/state/state.ts';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

/** Starts a call of a tool that asks the visitor first. */
const ask = async (timeoutMs: number) => {
  const clock = new FakeClock();
  const registry = new ToolRegistry(() => {});
  registry.register({ name: 'cancel_order', confirm: true, run: () => ({ isCanceled: true }) });
  const tools = new ClientTools(registry);
  const reported: ToolRun[] = [];
  const posted: unknown[] = [];
  const call = { call_id: 'c', conversation_id: 'cnv', name: 'cancel_order', arguments: {}, timeout_ms: timeoutMs };
  const done = tools.run(call, {
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    report: (run) => void reported.push(run),
    archive: { changeCalls: async (change) => void change([]) },
    client: { post: async (_path, body) => void posted.push(JSON.parse(body)) },
  });
  await settle();
  return { clock, tools, reported, posted, done };
};

describe('The question of a tool', () => {
  it('says at half of the time that it is running out, and when it ends', async () => {
    const { clock, reported } = await ask(120_000);
    const until = clock.monotonic() + 120_000;
    assert.deepEqual(
      reported.map(({ phase, isExpiring, until: end }) => [phase, isExpiring, end]),
      [['asked', undefined, until]],
    );
    await clock.advance(59_999);
    assert.equal(reported.length, 1);
    await clock.advance(1);
    assert.deepEqual([reported[1]!.phase, reported[1]!.isExpiring, reported[1]!.until], ['asked', true, until]);
  });

  it('fails as timed out when nobody has decided in time, and reports a timeout to the agent', async () => {
    const { clock, reported, posted, done } = await ask(15_000);
    await clock.advance(15_000);
    await done;
    const { phase, isTimedOut } = reported.at(-1)!;
    assert.deepEqual([phase, isTimedOut], ['failed', true]);
    assert.deepEqual(
      (posted as { ok: boolean; error: string }[]).map(({ ok, error }) => [ok, error]),
      [[false, 'timeout']],
    );
  });
});
