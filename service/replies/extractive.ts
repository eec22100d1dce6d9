/** Answers from the agent's own knowledge, word for word: no model, nothing made up. */
import type { Db } from '../db/open.ts';
import type { Answer, Answerer, Step, ToolOutcome, Turn } from './reply-source.ts';
import { bookClass, chosenTime } from './booking.ts';
import { filledForm, offerForm } from './forms.ts';
import { answerFromKnowledge, lookUp, type LookedUp } from './from-knowledge.ts';
import { httpAction } from './http-action.ts';
import { onlyOrderNumber, orderStatus } from './order-status.ts';
import { handOver, wantsPerson } from './handoff.ts';
import { pause, pieces } from './chunks.ts';
import { chosenProduct, wantedProducts } from './products.ts';
import type { Reply, Replying } from './reply.ts';
import { sentences } from './sentences.ts';
import { smallTalk } from './small-talk.ts';

export const extractiveAnswerer = (db: Db): Answerer => {
  return {
    async *answer(turn) {
      return yield* say(turn, yield* reply(db, turn));
    },
  };
};

export async function* say(turn: Turn, { text, ...answer }: Reply): AsyncGenerator<Step, Answer> {
  for (const piece of pieces(text)) {
    yield { type: 'text', text: piece };
    await pause(turn.pace, turn.signal);
  }
  return answer;
}

/** What the visitor means beyond doubt: a form filled in, a time or product chosen, a person asked for. */
export async function* plainWish(db: Db, turn: Turn): Replying {
  const chosen = (await filledForm(turn)) ?? (await chosenTime(db, turn)) ?? (yield* chosenProduct(db, turn));
  if (chosen) return chosen;
  return wantsPerson(turn.question) ? handOver(turn) : undefined;
}

async function* reply(db: Db, turn: Turn): AsyncGenerator<Step, Reply, ToolOutcome | undefined> {
  const wish = yield* plainWish(db, turn);
  if (wish) return wish;
  const lookup = turn.actions.find(({ name }) => name === 'get_order_status');
  if (lookup && onlyOrderNumber(turn)) return (yield* orderStatus(turn, lookup))!;
  const talk = smallTalk(turn);
  if (talk) return talk;

  const found = await lookUp(db, turn);
  const answer =
    (yield* wantedAction(db, turn, found)) ??
    (await wantedProducts(db, turn, found)) ??
    answerFromKnowledge(turn, found);
  return mentioningPerson(turn, answer ?? refusal(turn));
}

async function* wantedAction(db: Db, turn: Turn, { action }: LookedUp): Replying {
  if (action?.kind === 'http') return httpAction(turn, action);
  if (action?.kind === 'client_tool') return yield* orderStatus(turn, action);
  if (action?.kind === 'collect_data') return offerForm(turn, action);
  if (action?.kind === 'integration') return bookClass(db, turn, action);
  return undefined;
}

export const refusal = ({ language, personAsked }: Turn): Reply => {
  const said = sentences[language];
  return { text: personAsked ? said.refusedWhileWaiting : said.refused, outcome: 'refused', sources: [] };
};

/** Says once, under the first answer after a person was asked for, that they are on their way. */
const mentioningPerson = ({ language, personAsked, history }: Turn, answer: Reply): Reply => {
  const { personOnTheWay } = sentences[language];
  const last = history.findLast((message) => message.role === 'assistant');
  const first = last !== undefined && Object.values(sentences).some((said) => said.personAsked === last.content);
  if (!personAsked || !first || answer.outcome === 'refused') return answer;
  return { ...answer, text: `${answer.text}\n\n${personOnTheWay}` };
};
