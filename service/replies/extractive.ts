/** Answers from the agent's own knowledge, word for word: no model, nothing made up. */
import type { Db } from '../db/open.ts';
import type { Answer, ReplySource, Step, ToolOutcome, Turn } from './reply-source.ts';
import { openTimesReply, chosenTime } from './booking.ts';
import { submittedForm, formReply } from './forms.ts';
import { knowledgeReply, searchKnowledge, type KnowledgeSearch } from './from-knowledge.ts';
import { httpAction } from './http-action.ts';
import { onlyOrderNumber, orderStatusReply } from './order-status.ts';
import { handoffReply, requestsHandoff } from './handoff.ts';
import { pause, pieces } from './chunks.ts';
import { chosenProduct, productReply } from './products.ts';
import type { Reply, ReplySteps } from './reply.ts';
import { sentences } from './sentences.ts';
import { smallTalk } from './small-talk.ts';

export const extractiveReplySource = (db: Db): ReplySource => {
  return {
    async *answer(turn) {
      return yield* say(turn, yield* reply(db, turn));
    },
  };
};

export async function* say(turn: Turn, { text, ...answer }: Reply): AsyncGenerator<Step, Answer> {
  for (const piece of pieces(text)) {
    yield { type: 'text', text: piece };
    await pause(turn.chunkDelay, turn.signal);
  }
  return answer;
}

/** What the visitor means beyond doubt: a form filled in, a time or product chosen, a person asked for. */
export async function* explicitIntent(db: Db, turn: Turn): ReplySteps {
  const chosen = (await submittedForm(turn)) ?? (await chosenTime(db, turn)) ?? (yield* chosenProduct(db, turn));
  if (chosen) return chosen;
  return requestsHandoff(turn.question) ? handoffReply(turn) : undefined;
}

async function* reply(db: Db, turn: Turn): AsyncGenerator<Step, Reply, ToolOutcome | undefined> {
  const wish = yield* explicitIntent(db, turn);
  if (wish) return wish;
  const lookup = turn.actions.find(({ name }) => name === 'get_order_status');
  if (lookup && onlyOrderNumber(turn)) return (yield* orderStatusReply(turn, lookup))!;
  const talk = smallTalk(turn);
  if (talk) return talk;

  const found = await searchKnowledge(db, turn);
  const answer =
    (yield* requestedAction(db, turn, found)) ?? (await productReply(db, turn, found)) ?? knowledgeReply(turn, found);
  return withHandoffNote(turn, answer ?? refusal(turn));
}

async function* requestedAction(db: Db, turn: Turn, { action }: KnowledgeSearch): ReplySteps {
  if (action?.kind === 'http') return httpAction(turn, action);
  if (action?.kind === 'client_tool') return yield* orderStatusReply(turn, action);
  if (action?.kind === 'collect_data') return formReply(turn, action);
  if (action?.kind === 'integration') return openTimesReply(db, turn, action);
  return undefined;
}

export const refusal = ({ language, isHandoffRequested }: Turn): Reply => {
  const said = sentences[language];
  return { text: isHandoffRequested ? said.refusedWhileWaiting : said.refused, outcome: 'refused', sources: [] };
};

/** Says once, under the first answer after a person was asked for, that they are on their way. */
const withHandoffNote = ({ language, isHandoffRequested, history }: Turn, answer: Reply): Reply => {
  const { personOnTheWay } = sentences[language];
  const last = history.findLast((message) => message.role === 'assistant');
  const first = last !== undefined && Object.values(sentences).some((said) => said.handoffRequested === last.content);
  if (!isHandoffRequested || !first || answer.outcome === 'refused') return answer;
  return { ...answer, text: `${answer.text}\n\n${personOnTheWay}` };
};
