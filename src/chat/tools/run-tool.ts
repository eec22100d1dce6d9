/** Runs a client tool: validates the arguments, asks the visitor, applies the timeout, and checks the result. */
import { anySignal } from '../../api/abort.ts';
import { abortable, type Clock } from '../../api/clock.ts';
import { isObject, parseJson, toText } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import { isLongerThan } from '../../../contract/characters.ts';
import { maxToolResultLength } from '../../../contract/limits.ts';
import type { ClientToolCall, JsonObject } from '../../../contract/wire.ts';
import type { ToolPhase, ToolRun } from '../state/state.ts';
import type { ClientTool } from './client-tool.ts';

/** The reason why a call failed. The agent receives it as `error`, which must not exceed 120 characters. */
export class ToolFailure extends Error {
  readonly phase: ToolPhase;
  constructor(reason: string, phase: ToolPhase = 'failed') {
    super(reason);
    this.phase = phase;
  }
}

/** The dependencies of one run. */
export interface ToolRunHost {
  clock: Clock;
  /** Aborts when the run must end. */
  signal: AbortSignal;
  /** Asks for the visitor's consent. `question` is null for the standard question. */
  askVisitor(question: string | null, values: NonNullable<ToolRun['values']>): Promise<boolean>;
  /** The tool starts now. */
  onRunning(): void;
}

const toResult = (value: unknown): JsonObject => {
  let json: string;
  try {
    json = toJson(value ?? {});
    // Also a date and an address, which become texts.
    if (!isObject(parseJson(json))) json = toJson({ value });
  } catch {
    throw new ToolFailure('invalid_result');
  }
  if (isLongerThan(json, maxToolResultLength)) throw new ToolFailure('result_too_large');
  return parseJson(json) as JsonObject;
};

const toDisplayText = (value: unknown): string => toText(typeof value === 'string' ? value : toJson(value));

/** Returns the arguments with their labels. A name without a label is shown as words. */
const labeledValues = (args: unknown, labels: ClientTool['labels'] = {}): NonNullable<ToolRun['values']> => {
  const label = (name: string) => (Object.hasOwn(labels, name) ? labels[name]! : toText(name).replaceAll('_', ' '));
  return isObject(args) ? Object.entries(args).map(([name, value]) => [label(name), toDisplayText(value)]) : [];
};

/**
 * Runs a tool, unless it is not registered any longer, and returns its result.
 * @throws {ToolFailure} With the reason that the agent may know. Any other error is the page's own.
 */
export const runTool = async (
  registered: ClientTool | undefined,
  call: Pick<ClientToolCall, 'arguments' | 'call_id' | 'conversation_id' | 'timeout_ms'>,
  { clock, signal, askVisitor, onRunning }: ToolRunHost,
): Promise<JsonObject> => {
  if (!registered) throw new ToolFailure('unknown_tool');
  // The cast is safe: a tool gets only arguments that its own schema has validated.
  const tool = registered as unknown as ClientTool<unknown>;
  const checked = await abortable(Promise.resolve(tool.parameters?.['~standard'].validate(call.arguments)), signal);
  if (checked?.issues) throw new ToolFailure('invalid_arguments');
  const args: unknown = checked ? checked.value : call.arguments;
  if (tool.confirm) {
    // Any other value than a text could not be stored with the conversation.
    const question = toText(typeof tool.confirm === 'function' ? tool.confirm(args) : tool.confirm) || null;
    if (!(await askVisitor(question, labeledValues(args, tool.labels))))
      throw new ToolFailure('refused_by_visitor', 'refused');
  }
  onRunning();
  const toolDeadline = new AbortController();
  const cancel = clock.after(tool.timeoutMs ?? call.timeout_ms, () => toolDeadline.abort(new ToolFailure('timeout')));
  const ended = anySignal([signal, toolDeadline.signal]);
  try {
    const context = { signal: ended, callId: call.call_id, conversationId: call.conversation_id };
    return toResult(await abortable(Promise.resolve(tool.run(args, context)), ended));
  } finally {
    cancel();
  }
};
