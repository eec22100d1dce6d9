/** Runs an http action or a client tool of the owner and writes the reply about its result. */
import type { JsonObject, StatusCardBlock } from '../../contract/wire.ts';
import { shortened } from '../../contract/characters.ts';
import type { Action, ActionOutcome, Reply, ReplySteps, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';

export const httpAction = async (turn: Turn, action: Action): Promise<Reply> => {
  return actionReply(turn, action, await turn.effects.runAction(action, inputsFrom(action.inputSchema, turn.question)));
};

/** Has the visitor's app run a client tool with the inputs that the question contains. */
export async function* clientToolReply(turn: Turn, action: Action): ReplySteps<Reply> {
  const outcome = yield { type: 'tool', action, arguments: inputsFrom(action.inputSchema, turn.question) };
  return actionReply(turn, action, outcome?.ok ? { outcome: 'worked', result: outcome.result } : { outcome: 'failed' });
}

export const actionReply = ({ language }: Turn, action: Action, run: ActionOutcome): Reply => {
  const sentence = sentences[language];
  if (run.outcome === 'waiting') return { text: sentence.actionWaiting, outcome: 'answered', sources: [] };
  if (run.outcome === 'unconfirmed') return { text: sentence.actionUnconfirmed, outcome: 'tool_failed', sources: [] };
  if (run.outcome !== 'worked') return { text: sentence.actionFailed, outcome: 'tool_failed', sources: [] };
  const rows = Object.entries(run.result)
    .flatMap(([key, result]) => {
      const value = rowValue(result);
      return value === undefined ? [] : [{ label: key.replaceAll('_', ' '), value }];
    })
    .slice(0, 8);
  const card: StatusCardBlock = {
    type: 'status_card',
    title: action.name.replaceAll('_', ' '),
    status: sentence.done,
    rows,
  };
  return { text: sentence.actionDone, outcome: 'answered', sources: [], blocks: [card] };
};

/** Returns a plain value of a result as the text of a card's row, up to 200 characters, or undefined for any other value. */
export const rowValue = (value: unknown): string | undefined => {
  if (typeof value === 'string' && value.trim() !== '') return shortened(value.trim(), 200);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
};

/** Extracts the inputs from the question by patterns for numbers, e-mail addresses and reference numbers. */
const inputsFrom = (schema: JsonObject, question: string): JsonObject => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(
    properties.flatMap(([name, { type, format }]) => {
      const pattern =
        type === 'number' || type === 'integer'
          ? /-?\d+(\.\d+)?/
          : format === 'email'
            ? /[^\s@]+@[^\s@]+\.[^\s@.,!?]+/
            : /\b[A-Za-z]{0,6}-?\d[\w-]*\b/;
      const found = pattern.exec(question)?.[0];
      if (found === undefined) return [];
      return [[name, type === 'number' || type === 'integer' ? Number(found) : found] as const];
    }),
  );
};
