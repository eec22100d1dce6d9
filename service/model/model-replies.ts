/** The reply source with a language model. When the model fails, the knowledge replies and the reply is `degraded`. */
import { isTurnLoss } from '../db/turn-lease.ts';
import { errorText, type Log } from '../core/log.ts';
import { explicitIntent, extractiveReplySource, streamText } from '../replies/extractive.ts';
import type { KnowledgeContext } from '../replies/from-knowledge.ts';
import type { ReplyDetails, ReplySource, ReplySteps, ToolOutcome, Turn } from '../replies/reply-source.ts';
import { converse, type Progress } from './converse.ts';
import { createEndpoint } from './endpoint.ts';
import type { ModelSettings } from './settings.ts';

const defaultTimeoutMs = 20_000;

export const modelReplySource = (
  knowledge: KnowledgeContext,
  { name, timeoutMs = defaultTimeoutMs, ...endpoint }: ModelSettings,
  log: Log,
): ReplySource => {
  const model = createEndpoint(endpoint)(name);
  const extractive = extractiveReplySource(knowledge);

  return {
    async *reply(turn) {
      // An explicit intent never depends on the model.
      const explicit = yield* explicitIntent(knowledge.db, turn);
      if (explicit) return yield* streamText(turn, explicit);
      const progress: Progress = { hasText: false, actionReply: undefined };
      try {
        return yield* converse(knowledge, turn, { model, timeoutMs }, progress);
      } catch (error) {
        if (turn.signal.aborted) return undefined;
        if (isTurnLoss(error)) throw error;
        log({ level: 'warn', event: 'model_failure', error: errorText(error) });
        return yield* replyWithoutModel(extractive, turn, progress);
      }
    },
  };
};

/** Never runs an action a second time. Text that was streamed already is replaced in the final message. */
async function* replyWithoutModel(
  extractive: ReplySource,
  turn: Turn,
  { hasText, actionReply }: Progress,
): ReplySteps<ReplyDetails | undefined> {
  const steps = actionReply
    ? streamText(turn, actionReply)
    : extractive.reply(hasText ? { ...turn, chunkDelay: 0 } : turn);
  let text = '';
  let step = await steps.next();
  while (!step.done) {
    let outcome: ToolOutcome | undefined;
    if (step.value.type === 'text') text += step.value.text;
    if (step.value.type === 'tool' || !hasText) outcome = yield step.value;
    step = await steps.next(outcome);
  }
  return step.value && { ...step.value, degraded: true, ...(hasText ? { text } : {}) };
}
