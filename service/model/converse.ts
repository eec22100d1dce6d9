/** Writes a reply with a language model: streams its text, runs the functions it calls, until it has replied. */
import type { ModelMessage } from 'ai';
import type { Block, JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Hit } from '../knowledge/search.ts';
import { openTimesReply } from '../replies/booking.ts';
import { refusal, streamText } from '../replies/extractive.ts';
import { formReply } from '../replies/forms.ts';
import {
  citedSources,
  explain,
  knowledgeReply,
  searchKnowledge,
  type KnowledgeContext,
  type KnowledgeSearch,
} from '../replies/from-knowledge.ts';
import { handoffReply } from '../replies/handoff.ts';
import { actionReply } from '../replies/http-action.ts';
import { productReply } from '../replies/products.ts';
import type { ActionOutcome, Reply, ReplyDetails, ReplyStep, ReplySteps, Turn } from '../replies/reply-source.ts';
import { streamCompletion, type Completion, type Endpoint, type FunctionCall } from './chat-completion.ts';
import { createCitationReader, type CitationReader } from './citations.ts';
import { argumentError, functionsFor, type ModelFunction } from './functions.ts';
import { instructions } from './instructions.ts';

/** The progress of a reply. The fallback continues from here when the model fails. */
export interface Progress {
  hasText: boolean;
  /** The reply to the last action that was started, as it is written without a model. */
  actionReply: Reply | undefined;
}

export type ModelEndpoint = Omit<Endpoint, 'signal'>;

const maxPassages = 6;
/** In the last round the model cannot call functions, so it has to reply. */
const maxRounds = 5;

/** @throws {Error} When the endpoint fails, or when the reply is empty. */
export async function* converse(
  knowledge: KnowledgeContext,
  turn: Turn,
  endpoint: ModelEndpoint,
  progress: Progress,
): ReplySteps<ReplyDetails> {
  const conversation = await startModelConversation(knowledge, turn, endpoint, progress);
  for (let round = 1; round <= maxRounds; round++) {
    const { calls, messages, isCutShort } = yield* runRound(conversation, round < maxRounds);
    conversation.isCutShort = isCutShort;
    if (calls.length === 0) break;

    conversation.messages.push(...messages);
    for (const call of calls) {
      const final = await finalReply(conversation, call);
      if (final) {
        const text = progress.hasText ? `\n\n${final.text}` : final.text;
        return yield* streamText(turn, { search: explain(conversation.found, []), ...final, text });
      }
      conversation.messages.push(functionResult(call, yield* runFunction(conversation, call)));
    }
  }
  if (!progress.hasText) throw new Error('The reply of the model is empty.');
  return detailsOf(conversation);
}

/** The state of one reply. */
interface ModelConversation {
  readonly db: Db;
  readonly turn: Turn;
  readonly endpoint: ModelEndpoint;
  readonly progress: Progress;
  readonly found: KnowledgeSearch;
  readonly passages: Hit[];
  /** Products that match the question. */
  readonly products: Reply | undefined;
  readonly functions: ModelFunction[];
  readonly citations: CitationReader;
  readonly messages: ModelMessage[];
  readonly blocks: Block[];
  hasFailedAction: boolean;
  isCutShort: boolean;
}

const startModelConversation = async (
  knowledge: KnowledgeContext,
  turn: Turn,
  endpoint: ModelEndpoint,
  progress: Progress,
): Promise<ModelConversation> => {
  const { db } = knowledge;
  const found = await searchKnowledge(knowledge, turn);
  const passages = withoutDuplicates(found.passages).slice(0, maxPassages);
  const products = await productReply(db, turn, found);
  return {
    db,
    turn,
    endpoint,
    progress,
    found,
    passages,
    products,
    functions: functionsFor(turn, products !== undefined),
    citations: createCitationReader(passages.length),
    messages: [
      ...turn.history.flatMap(({ role, content }) => (content.trim() === '' ? [] : [{ role, content }])),
      { role: 'user', content: turn.question },
    ],
    blocks: [],
    hasFailedAction: false,
    isCutShort: false,
  };
};

/** One request to the model. Streams its text without the citation marks. */
async function* runRound(conversation: ModelConversation, canCallFunctions: boolean): ReplySteps<Completion> {
  const { turn, endpoint, progress, passages, products, functions, citations, messages } = conversation;
  const completion = streamCompletion(
    { ...endpoint, signal: turn.signal },
    { system: instructions(turn, passages, products?.text), messages, functions, canCallFunctions },
  );
  let hasTextInRound = false;
  let step = await completion.next();
  try {
    while (!step.done) {
      if (!hasTextInRound && progress.hasText) yield* textStep(progress, '\n\n');
      hasTextInRound = true;
      yield* textStep(progress, citations.read(step.value));
      step = await completion.next();
    }
  } finally {
    // Aborts the request when the turn stops in the middle of the text.
    await completion.return(undefined as never);
  }
  yield* textStep(progress, citations.end());
  return step.value;
}

function* textStep(progress: Progress, text: string): Generator<ReplyStep, void, unknown> {
  if (text === '') return;
  progress.hasText = true;
  yield { type: 'text', text };
}

/** The reply of a function that ends the turn. The reply is the same as without a model. */
const finalReply = async ({ db, turn, functions }: ModelConversation, call: FunctionCall) => {
  if (call.name === 'no_answer') return refusal(db, turn);
  if (call.name === 'ask_for_person') return handoffReply(turn);
  const action = functions.find((each) => each.name === call.name)?.action;
  if (action?.kind === 'collect_data') return formReply(turn, action);
  if (action?.kind === 'integration') return openTimesReply(db, turn, action);
  return undefined;
};

/** Runs a function and returns the result that the model gets. */
async function* runFunction(conversation: ModelConversation, { name, args }: FunctionCall): ReplySteps<JsonObject> {
  const { turn, progress, functions, products, blocks } = conversation;
  const called = functions.find((each) => each.name === name);
  if (!called) return { error: `There is no function ${name}.` };
  const error = argumentError(called, args);
  if (error !== undefined) return { error };
  if (products && name === 'show_products') {
    blocks.push(...(products.blocks ?? []));
    return { shown: true };
  }
  const action = called.action!;
  // When an error follows, it is unknown whether the action has run.
  progress.actionReply = actionReply(turn, action, { outcome: 'unconfirmed' });
  let outcome: ActionOutcome;
  if (action.kind === 'http') {
    outcome = await turn.effects.runAction(action, args as JsonObject);
  } else {
    const toolOutcome = yield { type: 'tool', action, arguments: args as JsonObject };
    outcome = toolOutcome?.ok ? { outcome: 'worked', result: toolOutcome.result } : { outcome: 'failed' };
  }
  progress.actionReply = actionReply(turn, action, outcome);
  conversation.hasFailedAction = outcome.outcome !== 'worked' && outcome.outcome !== 'waiting';
  if (outcome.outcome === 'worked') {
    if (action.kind === 'http') blocks.push(...(progress.actionReply.blocks ?? []));
    return outcome.result;
  }
  if (outcome.outcome === 'waiting') return { status: 'It waits for the team’s approval; it has not been done yet.' };
  if (outcome.outcome === 'unconfirmed') {
    return {
      error: 'It was sent, but it is unknown whether it worked. Do not repeat it; offer a person who can check it.',
    };
  }
  return { error: 'It did not work.' };
}

/** Names the cited passages as sources, or those of the knowledge reply when the model cites none. */
const detailsOf = ({
  turn,
  found,
  passages,
  citations,
  blocks,
  hasFailedAction,
  isCutShort,
}: ModelConversation): ReplyDetails => {
  const cited = passages.filter((_, at) => citations.cited.has(at + 1));
  return {
    outcome: hasFailedAction ? 'tool_failed' : 'answered',
    sources: cited.length > 0 ? citedSources(cited) : (knowledgeReply(turn, found)?.sources ?? []),
    ...(blocks.length === 0 ? {} : { blocks }),
    ...(isCutShort ? { degraded: true } : {}),
    search: explain(found, cited),
  };
};

const withoutDuplicates = (hits: Hit[]): Hit[] => {
  return [...new Map(hits.map((hit) => [hit.body, hit])).values()];
};

const functionResult = ({ id, name }: FunctionCall, value: JsonObject): ModelMessage => {
  const output = { type: 'json' as const, value: value as never };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] };
};
