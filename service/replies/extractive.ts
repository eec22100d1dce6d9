/** The reply source without a language model: it quotes the agent's knowledge. */
import type { Db } from '../db/database.ts';
import { pause } from '../core/waiting.ts';
import { chosenTime, openTimesReply } from './booking.ts';
import { splitIntoChunks } from './chunks.ts';
import { formReply, submittedForm } from './forms.ts';
import {
  explain,
  knowledgeReply,
  searchKnowledge,
  type KnowledgeContext,
  type KnowledgeSearch,
} from './from-knowledge.ts';
import { handoffReply, requestsHandoff } from './handoff.ts';
import { clientToolReply, httpAction } from './http-action.ts';
import { isOnlyOrderNumber, orderStatusReply } from './order-status.ts';
import { asksForShop, chosenProduct, productReply } from './products.ts';
import type { Reply, ReplyDetails, ReplySource, ReplySteps, Turn } from './reply-source.ts';
import { sentences } from './sentences.ts';
import { smallTalk } from './small-talk.ts';
import { findTopics } from './topics.ts';

/** The client tool whose result has the format of an order. */
const orderTool = 'get_order_status';

export const extractiveReplySource = (knowledge: KnowledgeContext): ReplySource => {
  return {
    async *reply(turn) {
      return yield* streamText(turn, yield* findReply(knowledge, turn));
    },
  };
};

/** Yields the text of a reply in chunks and returns the rest of the reply. */
export async function* streamText(turn: Turn, { text, ...details }: Reply): ReplySteps<ReplyDetails> {
  for (const chunk of splitIntoChunks(text)) {
    yield { type: 'text', text: chunk };
    await pause(turn.chunkDelay, turn.signal);
  }
  return details;
}

/** Replies to an unambiguous intent: a submitted form, a chosen time or product, or a request for a person. */
export async function* explicitIntent(db: Db, turn: Turn): ReplySteps<Reply | undefined> {
  const chosen = (await submittedForm(turn)) ?? (await chosenTime(db, turn)) ?? (yield* chosenProduct(db, turn));
  if (chosen) return chosen;
  return requestsHandoff(turn.question) ? handoffReply(turn) : undefined;
}

async function* findReply(knowledge: KnowledgeContext, turn: Turn): ReplySteps<Reply> {
  const { db } = knowledge;
  const explicit = yield* explicitIntent(db, turn);
  if (explicit) return explicit;
  const orderAction = turn.actions.find(({ name }) => name === orderTool);
  if (orderAction && isOnlyOrderNumber(turn)) return yield* orderStatusReply(turn, orderAction);
  const talk = await smallTalk(db, turn);
  if (talk) return talk;

  // With the question before, its action would be found again.
  const found = await searchKnowledge(knowledge, asksForShop(turn.question) ? { ...turn, history: [] } : turn);
  const reply =
    (yield* requestedAction(db, turn, found)) ?? (await productReply(db, turn, found)) ?? knowledgeReply(turn, found);
  return { search: explain(found, []), ...(reply ?? (await refusal(db, turn))) };
}

async function* requestedAction(db: Db, turn: Turn, { action }: KnowledgeSearch): ReplySteps<Reply | undefined> {
  if (action?.kind === 'http') return httpAction(turn, action);
  if (action?.kind === 'client_tool') {
    return yield* action.name === orderTool ? orderStatusReply(turn, action) : clientToolReply(turn, action);
  }
  if (action?.kind === 'collect_data') return formReply(turn, action);
  if (action?.kind === 'integration') return openTimesReply(db, turn, action);
  return undefined;
}

export const refusal = async (db: Db, turn: Turn): Promise<Reply> => {
  const text = sentences[turn.language];
  if (turn.isHandoffRequested) return { text: text.refusedWhileWaiting, outcome: 'refused', sources: [] };
  const quotedTopics = (await findTopics(db, turn)).map((topic) =>
    turn.language === 'ar' ? `«${topic}»` : `“${topic}”`,
  );
  const topics = quotedTopics.join(turn.language === 'ar' ? '، ' : ', ');
  return { text: text.refused(topics), outcome: 'refused', sources: [] };
};
