/** Answers with a language model, and from the knowledge word for word where the model fails: then it is `degraded`. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Answer, ReplySource, Step, ToolOutcome, Turn } from '../replies/reply-source.ts';
import { extractiveReplySource, explicitIntent, say } from '../replies/extractive.ts';
import type { Db } from '../db/open.ts';
import type { LogEntry } from '../http/environment.ts';
import { converse, type Progress } from './converse.ts';
import type { ModelSettings } from './settings.ts';

const defaultPatience = 20_000;

export const modelReplySource = (
  db: Db,
  { url, name, key, patience = defaultPatience }: ModelSettings,
  log: (entry: LogEntry) => void,
): ReplySource => {
  const provider = createOpenAICompatible({ name: 'workspace', baseURL: url, ...(key ? { apiKey: key } : {}) });
  const model = provider(name);
  const extractive = extractiveReplySource(db);

  return {
    async *answer(turn) {
      // What needs no understanding is done the same way whether a model is there or not.
      const wish = yield* explicitIntent(db, turn);
      if (wish) return yield* say(turn, wish);
      const progress: Progress = { hasSpoken: false, done: undefined };
      try {
        return yield* converse(db, turn, { model, patience }, progress);
      } catch (error) {
        if (turn.signal.aborted) return undefined;
        log({ level: 'warn', event: 'model_failure', error: error instanceof Error ? error.message : String(error) });
        return yield* withoutModel(turn, progress);
      }
    },
  };

  /** An action that has run is told of, never run again. What was said by then is replaced in the end. */
  async function* withoutModel(
    turn: Turn,
    { hasSpoken, done }: Progress,
  ): AsyncGenerator<Step, Answer | undefined, ToolOutcome | undefined> {
    const answering = done ? say(turn, done) : extractive.answer(hasSpoken ? { ...turn, chunkDelay: 0 } : turn);
    let text = '';
    let step = await answering.next();
    while (!step.done) {
      let outcome: ToolOutcome | undefined;
      if (step.value.type === 'text') text += step.value.text;
      if (step.value.type === 'tool' || !hasSpoken) outcome = yield step.value;
      step = await answering.next(outcome);
    }
    return step.value && { ...step.value, degraded: true, ...(hasSpoken ? { text } : {}) };
  }
};
