/** Streams the reply of a turn: passes text on and has the visitor's app run client tools. */
import type { ClientToolCall } from '../../contract/wire.ts';
import { recordCall, type ActionContext } from '../actions/calls.ts';
import type { DatabaseContext } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { inTurn } from '../db/turn-lease.ts';
import type { ReplyDetails, ReplySource, ReplyStep, ToolOutcome, Turn } from '../replies/reply-source.ts';
import { addInterruptedReply } from './messages.ts';
import { releaseQuota } from './quota.ts';
import type { OpenToolCall, ToolCalls } from './tool-calls.ts';

export type TurnEvent = { type: 'delta'; text: string } | { type: 'client_tool'; call: ClientToolCall };

interface StreamContext extends ActionContext {
  replySource: ReplySource;
  toolCalls: ToolCalls;
}

interface StreamedTurn {
  turn: Turn;
  conversation: Conversation;
  /** The conversation token to repeat in tool calls. */
  token: string | undefined;
  /** Whether the visitor sees the text before the end. */
  isStreamed: boolean;
}

interface StreamedReply {
  text: string;
  details: ReplyDetails;
}

type ToolStep = Extract<ReplyStep, { type: 'tool' }>;

/** Returns undefined when the turn's signal aborts before the end. What the visitor has seen until then is stored. */
export async function* streamReply(
  context: StreamContext,
  streamed: StreamedTurn,
): AsyncGenerator<TurnEvent, StreamedReply | undefined> {
  const { turn, conversation, isStreamed } = streamed;
  const steps = context.replySource.reply(turn);
  let text = '';
  let details: ReplyDetails | undefined;
  try {
    let outcome: ToolOutcome | undefined;
    while (!turn.signal.aborted) {
      const step = await steps.next(outcome);
      outcome = undefined;
      if (step.done) {
        details = step.value;
        break;
      }
      if (turn.signal.aborted) break;
      if (step.value.type === 'text') {
        text += step.value.text;
        yield { type: 'delta', text: step.value.text };
      } else {
        outcome = yield* runClientTool(context, streamed, step.value);
      }
    }
  } finally {
    if (!details) {
      // Not awaited: the generator may be waiting for something that never settles.
      void steps.return(undefined).catch(() => {});
      if (isStreamed && text.trim() !== '') await addInterruptedReply(context, conversation, text, turn.language);
      else await releaseQuota(context, conversation);
    }
  }
  return details && { text: details.text ?? text, details };
}

async function* runClientTool(
  context: StreamContext,
  { turn, conversation, token }: StreamedTurn,
  step: ToolStep,
): AsyncGenerator<TurnEvent, ToolOutcome> {
  const call = await context.toolCalls.open(conversation, step.action, step.arguments, turn.signal);
  if (!call) return { ok: false, reason: 'client_error' };
  yield { type: 'client_tool', call: serializeToolCall(call, conversation, token) };
  const outcome = await call.outcome;
  await recordToolCall(context, conversation, step, outcome);
  return outcome;
}

const serializeToolCall = (
  call: OpenToolCall,
  conversation: Conversation,
  token: string | undefined,
): ClientToolCall => {
  return {
    conversation_id: conversation.id,
    ...(token === undefined ? {} : { conversation_token: token }),
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
    timeout_ms: call.timeoutMs,
  };
};

const recordToolCall = async (
  { db, now }: DatabaseContext,
  conversation: Conversation,
  { action, arguments: args }: ToolStep,
  toolOutcome: ToolOutcome,
): Promise<void> => {
  const inputs = Object.keys(args);
  const result = toolOutcome.ok
    ? { outcome: 'worked' as const }
    : { outcome: 'failed' as const, reason: toolOutcome.reason };
  await inTurn(db, conversation, (tx) => recordCall(tx, action, conversation, { ...result, inputs }, new Date(now())));
};
