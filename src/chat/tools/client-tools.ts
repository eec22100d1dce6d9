/** Runs the agent's calls of client tools and posts their results. */
import { anySignal } from '../../api/abort.ts';
import { abortable, sleep, type Clock } from '../../api/clock.ts';
import { isObject } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import { ApiError } from '../../api/errors.ts';
import { maxToolResultLength } from '../../../contract/limits.ts';
import type { ClientToolCall, JsonObject, ToolResultRequest } from '../../../contract/wire.ts';
import { backoff, parseRetryAfter } from '../../api/retry-delay.ts';
import type { ToolPhase, ToolRun } from '../state/state.ts';
import { decodeToolCall } from './decode-tool-call.ts';

/** The part of the Standard Schema interface (zod, valibot, …) that is used here. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly unknown[] };

export interface ToolContext {
  /** Aborts when the call's timeout has passed, and when the visitor stops the reply. */
  signal: AbortSignal;
  callId: string;
  conversationId: string;
}

export interface ClientTool<Args = JsonObject> {
  /** The name in snake_case, as the agent's owner declared it. */
  name: string;
  description?: string;
  /** Validates the agent's arguments before the tool runs. */
  parameters?: StandardSchema<Args>;
  /** Asks the visitor first, with the standard question or with the returned one. */
  confirm?: true | ((args: Args) => string);
  /** The timeout in milliseconds. The call's toolDeadline timeout applies when it is shorter. */
  timeoutMs?: number;
  /** Returns a JSON object of at most 8,000 characters, or a promise of one. */
  run(args: Args, context: ToolContext): unknown;
}

/** The dependencies of a call on its turn. */
export interface ToolHost {
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  report(run: ToolRun): void;
  /** Changes the list of claimed calls that all tabs share. `change` is not called where there is none. */
  changeCalls(change: (calls: readonly string[]) => readonly string[]): Promise<void>;
  post(result: ToolResultRequest, signal: AbortSignal): Promise<void>;
}

/** The reason why a call failed. The agent receives it as `error`, which must not exceed 120 characters. */
class ToolFailure extends Error {
  readonly phase: ToolPhase;
  constructor(reason: string, phase: ToolPhase = 'failed') {
    super(reason);
    this.phase = phase;
  }
}

const toResult = (value: unknown): JsonObject => {
  const object = value === undefined || value === null ? {} : isObject(value) ? value : { value };
  let json: string;
  try {
    json = toJson(object);
  } catch {
    throw new ToolFailure('invalid_result');
  }
  if (json.length > maxToolResultLength) throw new ToolFailure('result_too_large');
  return object;
};

const toDisplayText = (value: unknown): string => (typeof value === 'string' ? value : (toJson(value) ?? ''));

const namedValues = (args: unknown) =>
  isObject(args) ? Object.entries(args).map(([name, value]) => [name, toDisplayText(value)] as const) : [];

export class ClientTools {
  readonly #tools: ReadonlySet<ClientTool>;
  readonly #consents = new Map<string, (isGiven: boolean) => void>();
  /** The calls that this tab has claimed, in case the shared list is deleted. */
  readonly #claimed = new Set<string>();

  /** @param tools The registered tools. The set may change at any time. */
  constructor(tools: ReadonlySet<ClientTool>) {
    this.#tools = tools;
  }

  get names(): string[] {
    return [...this.#tools].map(({ name }) => name);
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
    const cancel = host.clock.after(call.timeout_ms, () => deadline.abort(new ToolFailure('timeout')));
    const signal = anySignal([host.signal, deadline.signal]);
    const report = (phase: ToolPhase, more: Partial<ToolRun> = {}) => host.report({ callId, name, phase, ...more });
    try {
      if (!(await this.#claim(callId, host))) return;
      const outcome = await this.#execute(call, host, signal, report).then(
        (result) => ({ phase: 'answered' as const, body: { ok: true, result } }),
        (error: unknown) => this.#explain(error, deadline.signal, host.signal),
      );
      if (host.signal.aborted) return;
      report(outcome.phase);
      await this.#postResult(call, outcome.body, host, deadline.signal);
    } finally {
      cancel();
    }
  }

  /** Resolves the consent prompt of a call. */
  consent(callId: string, isGiven: boolean): void {
    this.#consents.get(callId)?.(isGiven);
  }

  /** Claims a call for this tab. Returns false when it was claimed before, in any tab. */
  async #claim(callId: string, host: ToolHost): Promise<boolean> {
    let isFirst = !this.#claimed.has(callId);
    this.#claimed.add(callId);
    await host.changeCalls((calls) => {
      isFirst &&= !calls.includes(callId);
      return [...calls, callId].slice(-100);
    });
    return isFirst;
  }

  #awaitConsent(callId: string, signal: AbortSignal): Promise<boolean> {
    const decision = new Promise<boolean>((resolve) => {
      this.#consents.set(callId, resolve);
    });
    return abortable(decision, signal).finally(() => this.#consents.delete(callId));
  }

  async #execute(
    call: ClientToolCall,
    host: ToolHost,
    signal: AbortSignal,
    report: (phase: ToolPhase, more?: Partial<ToolRun>) => void,
  ): Promise<JsonObject> {
    const tool = [...this.#tools].find(({ name }) => name === call.name) as ClientTool<unknown> | undefined;
    if (!tool) throw new ToolFailure('unknown_tool');
    const checked = await abortable(Promise.resolve(tool.parameters?.['~standard'].validate(call.arguments)), signal);
    if (checked?.issues) throw new ToolFailure('invalid_arguments');
    const args: unknown = checked ? checked.value : call.arguments;
    if (tool.confirm) {
      const question = typeof tool.confirm === 'function' ? tool.confirm(args) : null;
      report('asked', { question, values: namedValues(args) });
      if (!(await this.#awaitConsent(call.call_id, signal))) throw new ToolFailure('refused_by_visitor', 'refused');
    }
    report('running');
    const toolDeadline = new AbortController();
    const cancel = host.clock.after(tool.timeoutMs ?? call.timeout_ms, () =>
      toolDeadline.abort(new ToolFailure('timeout')),
    );
    const ended = anySignal([signal, toolDeadline.signal]);
    try {
      const context = { signal: ended, callId: call.call_id, conversationId: call.conversation_id };
      return toResult(await abortable(Promise.resolve(tool.run(args, context)), ended));
    } finally {
      cancel();
    }
  }

  #explain(
    error: unknown,
    deadline: AbortSignal,
    turn: AbortSignal,
  ): { phase: ToolPhase; body: { ok: false; error: string } } {
    const failure = deadline.aborted ? deadline.reason : error;
    if (failure instanceof ToolFailure) return { phase: failure.phase, body: { ok: false, error: failure.message } };
    if (!turn.aborted) console.error('workspace-chat: a client tool failed', error);
    // The page's toolDeadline error message may hold private data, so the agent receives only a code.
    return { phase: 'failed', body: { ok: false, error: 'tool_error' } };
  }

  /** Posts the result, and retries while the call is open. `call_closed` is an end, not an error. */
  async #postResult(
    call: ClientToolCall,
    body: Pick<ToolResultRequest, 'ok' | 'result' | 'error'>,
    host: ToolHost,
    deadline: AbortSignal,
  ): Promise<void> {
    const { conversation_id, conversation_token, call_id } = call;
    const result: ToolResultRequest = {
      conversation_id,
      ...(conversation_token && { conversation_token }),
      call_id,
      ...body,
    };
    // A timeout is reported after the deadline, once: the service's clock may be slightly behind.
    const signal = deadline.aborted ? host.signal : anySignal([host.signal, deadline]);
    for (let count = 0; ; count++) {
      try {
        return await host.post(result, signal);
      } catch (error) {
        if (signal.aborted || deadline.aborted || !(error instanceof ApiError)) return;
        const isRetryable = error.stage === 'unconfirmed' || error.status === 429 || error.status >= 500;
        if (!isRetryable) return;
        const seconds = parseRetryAfter(error.retryAfter, host.clock.now());
        const delay = seconds === null ? backoff(count, host.random) : seconds * 1000;
        const hasWaited = await sleep(host.clock, delay, signal).then(
          () => true,
          () => false,
        );
        if (!hasWaited) return;
      }
    }
  }
}
