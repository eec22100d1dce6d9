/** Runs an owner's http action and says what it answered. */
import type { JsonObject, StatusCardBlock } from '../../contract/wire.ts';
import type { Action, ActionOutcome, Turn } from './reply-source.ts';
import type { Reply } from './reply.ts';
import { sentences } from './sentences.ts';

export const httpAction = async (turn: Turn, action: Action): Promise<Reply> => {
  return actionReply(turn, action, await turn.keep.run(action, inputsFrom(action.inputSchema, turn.question)));
};

export const actionReply = ({ language }: Turn, action: Action, run: ActionOutcome): Reply => {
  const said = sentences[language];
  if (run.outcome === 'waiting') return { text: said.actionWaiting, outcome: 'answered', sources: [] };
  if (run.outcome !== 'worked') return { text: said.actionFailed, outcome: 'tool_failed', sources: [] };
  const rows = Object.entries(run.result)
    .flatMap(([label, value]) => (isPlain(value) ? [{ label: label.replaceAll('_', ' '), value: String(value) }] : []))
    .slice(0, 8);
  const card: StatusCardBlock = {
    type: 'status_card',
    title: action.name.replaceAll('_', ' '),
    status: said.done,
    rows,
  };
  const lines = rows.map(({ label, value }) => `- ${label}: ${value}`).join('\n');
  return { text: `${said.actionDone}\n\n${lines}`.trim(), outcome: 'answered', sources: [], blocks: [card] };
};

const isPlain = (value: unknown): value is string | number | boolean => {
  return ['string', 'number', 'boolean'].includes(typeof value);
};

/** Without a model: numbers, addresses and reference numbers are told apart by their looks. */
const inputsFrom = (schema: JsonObject, question: string): JsonObject => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>);
  return Object.fromEntries(
    properties.flatMap(([name, { type, format }]) => {
      const looks =
        type === 'number' || type === 'integer'
          ? /-?\d+(\.\d+)?/
          : format === 'email'
            ? /[^\s@]+@[^\s@]+\.[^\s@.,!?]+/
            : /\b[A-Za-z]{0,6}-?\d[\w-]*\b/;
      const found = looks.exec(question)?.[0];
      if (found === undefined) return [];
      return [[name, type === 'number' || type === 'integer' ? Number(found) : found] as const];
    }),
  );
};
