/** Runs the agent's calls of client tools and posts their results. */
import { anySignal } from '../../api/abort.ts';
import { abortable, sleep, type Clock } from '../../api/clock.ts';
import { toJson } from '../../api/encoding.ts';
import { ApiError } from '../../api/errors.ts';
import { maxClientTools } from '../../../contract/limits.ts';
import type { ClientToolCall, JsonObject, ToolResultRequest } from '../../../contract/wire.ts';
import { backoff, parseRetryAfter } from '../../api/retry-delay.ts';
import type { ToolPhase, ToolRun } from '../state/state.ts';
import type { ClientTool } from './client-tool.ts';
import { decodeToolCall } from './decode-tool-call.ts';
import { runTool, ToolFailure, type ToolRunHost } from './run-tool.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** The dependencies of a call on its turn. */
export interface ToolHost {
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  report(run: ToolRun): void;
  readonly archive: {
    /** Changes the list of claimed calls that all tabs share. `change` is not called where there is none. */
    changeCalls(change: (calls: readonly string[]) => readonly string[]): Promise<void>;
  };
  readonly client: { post(path: string, body: string, signal: AbortSignal): Promise<void> };
}

export class ClientTools {
  readonly #registry: Pick<ToolRegistry, 'tools' | 'pageTools'>;
  readonly #consents = new Map<string, (isGiven: boolean) => void>();
  /** The calls that this tab has claimed, in case the shared list is deleted. */
  readonly #claimed = new Set<string>();

  /** @param registry The tools, which may change at any time. */
  constructor(registry: Pick<ToolRegistry, 'tools' | 'pageTools'>) {
    this.#registry = registry;
  }

  get names(): string[] {
    return this.#offered.map(({ name }) => name);
  }

  get #offered(): readonly ClientTool[] {
    const registered = this.#registry.tools;
    const others = this.#registry.pageTools.filter(({ name }) => registered.every((tool) => tool.name !== name));
    return [...registered, ...others].slice(0, maxClientTools);
  }

  /**
   * Runs one call and posts its result. Never rejects. Ignores a call that cannot be read.
   * @param data The data of the `client_tool` event.
   */
  async run(data: JsonObject, host: ToolHost): Promise<void> {
    const call = decodeToolCall(data);
    if (!call) return;
    const { call_id: callId, name } = call;
    const deadline = new AbortController();
    const until = host.clock.monotonic() + call.timeout_ms;
    const cancel = host.clock.after(call.timeout_ms, () => deadline.abort(new ToolFailure('timeout')));
    const signal = anySignal([host.signal, deadline.signal]);
    const tool = this.#offered.find((each) => each.name === name);
    const title = tool?.title || tool?.description;
    const report = (phase: ToolPhase, more: Partial<ToolRun> = {}) =>
      host.report({ callId, name, phase, ...(title && { title }), ...more });
    try {
      if (!(await this.#claim(callId, host))) return;
      const askVisitor: ToolRunHost['askVisitor'] = (question, values) => {
        const asked = { question, values, until };
        const decision = this.#decide(callId);
        report('asked', asked);
        // At half of the time, the question says that it is running out.
        const halfway = host.clock.after((until - host.clock.monotonic()) / 2, () =>
          report('asked', { ...asked, isExpiring: true }),
        );
        return abortable(decision, signal).finally(halfway);
      };
      const onRunning = () => report('running');
      const outcome = await runTool(tool, call, { clock: host.clock, signal, askVisitor, onRunning }).then(
        (result) => ({ phase: 'answered' as const, body: { ok: true, result } }),
        (error: unknown) => this.#explain(name, error, deadline.signal, host.signal),
      );
      if (host.signal.aborted) return;
      report(outcome.phase, this.#consents.has(callId) ? { isTimedOut: true } : {});
      await this.#postResult(call, outcome.body, host, deadline.signal);
    } finally {
      cancel();
      this.#consents.delete(callId);
    }
  }

  /** Resolves the consent prompt of a call. */
  consent(callId: string, isGiven: boolean): void {
    this.#consents.get(callId)?.(isGiven);
    this.#consents.delete(callId);
  }

  /** Claims a call for this tab. Returns false when it was claimed before, in any tab. */
  async #claim(callId: string, host: ToolHost): Promise<boolean> {
    let isFirst = !this.#claimed.has(callId);
    this.#claimed.add(callId);
    await host.archive.changeCalls((calls) => {
      isFirst &&= !calls.includes(callId);
      return [...calls, callId].slice(-100);
    });
    return isFirst;
  }

  /** Returns the decision of the visitor. A call without one stays in the list. */
  #decide(callId: string): Promise<boolean> {
    return new Promise((resolve) => this.#consents.set(callId, resolve));
  }

  #explain(
    name: string,
    error: unknown,
    deadline: AbortSignal,
    turn: AbortSignal,
  ): { phase: ToolPhase; body: { ok: false; error: string } } {
    const failure = deadline.aborted ? deadline.reason : error;
    const isOwn = failure instanceof ToolFailure;
    // The page's own error message may hold private data, so the agent receives only a code.
    const { phase, message } = isOwn ? failure : new ToolFailure('tool_error');
    if (phase === 'failed' && !turn.aborted)
      console[isOwn ? 'warn' : 'error'](`workspace-chat: a client tool failed: ${name}`, failure);
    return { phase, body: { ok: false, error: message } };
  }

  /** Posts the result, and retries while the call is open. Repeating it has no effect: `call_closed` is an end, not an error. */
  async #postResult(
    call: ClientToolCall,
    outcome: Pick<ToolResultRequest, 'ok' | 'result' | 'error'>,
    host: ToolHost,
    deadline: AbortSignal,
  ): Promise<void> {
    const { conversation_id, conversation_token, call_id } = call;
    const body = toJson({ conversation_id, conversation_token, call_id, ...outcome });
    // A timeout is reported after the deadline, once: the service's clock may be slightly behind.
    const signal = deadline.aborted ? host.signal : anySignal([host.signal, deadline]);
    for (let count = 0; !signal.aborted; count++) {
      try {
        return await host.client.post('/chat/tool-results', body, signal);
      } catch (error) {
        if (deadline.aborted || !(error instanceof ApiError)) return;
        const isRetryable = error.stage === 'unconfirmed' || error.status === 429 || error.status >= 500;
        if (!isRetryable) return;
        const seconds = parseRetryAfter(error.retryAfter, host.clock.now());
        const delay = seconds === null ? backoff(count, host.random) : seconds * 1000;
        await sleep(host.clock, delay, signal).catch(() => {});
      }
    }
  }
}
