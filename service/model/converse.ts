/** A turn with a language model: its text as it comes, its calls of functions, until it has answered. */
import type { LanguageModel, ModelMessage } from 'ai';
import type { Block, JsonObject } from '../../contract/wire.ts';
import type { ActionOutcome, Answer, Step, ToolOutcome, Turn } from '../replies/reply-source.ts';
import { openTimesReply } from '../replies/booking.ts';
import { refusal, say } from '../replies/extractive.ts';
import { formReply } from '../replies/forms.ts';
import { knowledgeReply, searchKnowledge, citedSources } from '../replies/from-knowledge.ts';
import { actionReply } from '../replies/http-action.ts';
import { handoffReply } from '../replies/handoff.ts';
import { productReply } from '../replies/products.ts';
import type { Reply } from '../replies/reply.ts';
import type { Db } from '../db/open.ts';
import type { Hit } from '../knowledge/search.ts';
import { ask, type FunctionCall } from './chat-completion.ts';
import { createCitationReader } from './citations.ts';
import { functionsFor, argumentError } from './functions.ts';
import { instructions } from './instructions.ts';

/** How far it came, for whoever has to finish in its place. */
export interface Progress {
  hasSpoken: boolean;
  /** What the last action that ran came to, as it is told without a model. */
  done: Reply | undefined;
}

type Conversing = AsyncGenerator<Step, Answer, ToolOutcome | undefined>;

const maxPassages = 6;
/** The last one has to answer. */
const maxRounds = 5;

/** @throws Whatever the endpoint fails with, and when it answers with nothing. */
export async function* converse(
  db: Db,
  turn: Turn,
  { model, patience }: { model: LanguageModel; patience: number },
  progress: Progress,
): Conversing {
  const found = await searchKnowledge(db, turn);
  const passages = distinct(found.hits.filter(({ kind }) => kind !== 'action')).slice(0, maxPassages);
  const shop = await productReply(db, turn, found);
  const functions = functionsFor(turn, shop !== undefined);
  const citations = createCitationReader(passages.length);
  const messages: ModelMessage[] = [
    ...turn.history.flatMap(({ role, content }) => (content.trim() === '' ? [] : [{ role, content }])),
    { role: 'user', content: turn.question },
  ];
  const blocks: Block[] = [];
  let hasFailed = false;
  let cutShort = false;

  function* speak(text: string): Generator<Step, void, unknown> {
    if (text === '') return;
    progress.hasSpoken = true;
    yield { type: 'text', text };
  }

  /** Calls that finish the answer: what is said then is the same as without a model. */
  const ending = async ({ name }: FunctionCall): Promise<Reply | undefined> => {
    if (name === 'no_answer') return refusal(turn);
    if (name === 'ask_for_person') return handoffReply(turn);
    const action = functions.find((each) => each.name === name)?.action;
    if (action?.kind === 'collect_data') return formReply(turn, action);
    if (action?.kind === 'integration') return openTimesReply(db, turn, action);
    return undefined;
  };

  for (let round = 1; round <= maxRounds; round++) {
    const asking = ask(
      { model, patience, signal: turn.signal },
      { system: instructions(turn, passages, shop?.text), messages, functions, mayCall: round < maxRounds },
    );
    let hasText = false;
    let step = await asking.next();
    try {
      while (!step.done) {
        if (!hasText && progress.hasSpoken) yield* speak('\n\n');
        hasText = true;
        yield* speak(citations.take(step.value));
        step = await asking.next();
      }
    } finally {
      // Ends the request when the turn is left in the middle of the text.
      await asking.return(undefined as never);
    }
    yield* speak(citations.end());
    cutShort = step.value.cutShort;
    if (step.value.calls.length === 0) break;

    messages.push(...step.value.messages);
    for (const call of step.value.calls) {
      const ended = await ending(call);
      if (ended) {
        const { text, ...reply } = ended;
        return yield* say(turn, { ...reply, text: progress.hasSpoken ? `\n\n${text}` : text });
      }
      messages.push(result(call, yield* run(call)));
    }
  }
  if (!progress.hasSpoken) throw new Error('The model answered with nothing.');

  const cited = passages.filter((_, at) => citations.named.has(at + 1));
  return {
    outcome: hasFailed ? 'tool_failed' : 'answered',
    sources: cited.length > 0 ? citedSources(cited) : (knowledgeReply(turn, found)?.sources ?? []),
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(cutShort ? { degraded: true } : {}),
  };

  async function* run({ name, args }: FunctionCall): AsyncGenerator<Step, JsonObject, ToolOutcome | undefined> {
    const called = functions.find((each) => each.name === name);
    if (!called) return { error: `There is no function ${name}.` };
    const wrong = argumentError(called, args);
    if (wrong !== undefined) return { error: wrong };
    if (shop && name === 'show_products') {
      blocks.push(...(shop.blocks ?? []));
      return { shown: true };
    }
    const action = called.action!;
    let came: ActionOutcome;
    if (action.kind === 'http') {
      came = await turn.keep.run(action, args as JsonObject);
    } else {
      const outcome = yield { type: 'tool', action, arguments: args as JsonObject };
      came = outcome?.ok ? { outcome: 'worked', result: outcome.result } : { outcome: 'failed' };
    }
    progress.done = actionReply(turn, action, came);
    hasFailed = came.outcome === 'failed' || came.outcome === 'refused';
    if (came.outcome === 'worked') {
      if (action.kind === 'http') blocks.push(...(progress.done.blocks ?? []));
      return came.result;
    }
    if (came.outcome === 'waiting') return { status: 'It waits for the team’s approval; it has not been done yet.' };
    return { error: 'It did not work.' };
  }
}

const distinct = (hits: Hit[]): Hit[] => {
  return [...new Map(hits.map((hit) => [hit.body, hit])).values()];
};

const result = ({ id, name }: FunctionCall, value: JsonObject): ModelMessage => {
  const output = { type: 'json' as const, value: value as never };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] };
};
