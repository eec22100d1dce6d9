/** Finds the questions that the agent refused or handed over to the team, grouped by their terms. */
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Language } from '../core/language.ts';
import type { SearchExplanation } from '../core/search-explanation.ts';
import type { Agent } from '../db/records.ts';
import { conversations, messages } from '../db/schema.ts';
import { search, type SearchResult } from '../knowledge/search.ts';
import { terms } from '../knowledge/terms.ts';
import { explain, isCovered, type KnowledgeContext } from './from-knowledge.ts';
import { requestsHandoff } from './handoff.ts';
import { talkKind } from './small-talk.ts';

export interface UnansweredGroup {
  /** The latest wording. */
  question: string;
  /** The different wordings, latest first. */
  wordings: string[];
  language: Language;
  count: number;
  refused: number;
  handedOver: number;
  lastAt: Date;
  /** The conversation of the latest wording. */
  conversationId: string;
  /** What the knowledge has about the question now. */
  search: SearchExplanation;
}

export interface UnansweredQuery {
  since: Date;
  order: 'frequent' | 'recent';
  limit: number;
}

export interface UnansweredQuestions {
  groups: UnansweredGroup[];
  /** Whether older replies or further groups were not examined. */
  isPartial: boolean;
}

const maxReplies = 1000;
/** Messages before a reply, among which its question is: the last one, or one before requests for a person. */
const maxAskedBefore = 5;
/** Each is searched for in the knowledge. */
const maxGroups = 100;
const maxWordings = 5;

interface Question {
  id: string;
  text: string;
  language: Language;
  at: Date;
  conversationId: string;
  isRefused: boolean;
}

/** A refused question that the knowledge answers by now is left out, and so is a wording that the team has added. */
export const unansweredQuestions = async (
  knowledge: KnowledgeContext,
  agent: Pick<Agent, 'id' | 'knowledgeRevision'>,
  { since, order, limit }: UnansweredQuery,
): Promise<UnansweredQuestions> => {
  const { questions, isPartial } = await readQuestions(knowledge, agent.id, since);
  const all = groupByTerms(questions).sort(
    (a, b) => (order === 'frequent' && b.length - a.length) || latest(b) - latest(a),
  );
  const groups: UnansweredGroup[] = [];
  for (const group of all.slice(0, maxGroups)) {
    const { text, language } = group[0]!;
    const searched = { agentId: agent.id, language, revision: agent.knowledgeRevision };
    const found = await search(knowledge.db, searched, text, '', knowledge.embedder);
    if (hasWording(found, text) || (group.every(({ isRefused }) => isRefused) && isCovered(found))) continue;
    groups.push(describe(group, found));
    if (groups.length === limit) break;
  }
  return { groups, isPartial: isPartial || all.length > maxGroups };
};

/** Reads the latest replies that refused or handed over, with the visitor's messages before each, latest first. */
const readReplies = ({ db }: KnowledgeContext, agentId: string, since: Date) => {
  const replies = db
    .select({
      conversationId: messages.conversationId,
      position: messages.position,
      outcome: messages.outcome,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(
      and(
        eq(conversations.agentId, agentId),
        // In the words of the index.
        sql`${messages.outcome} in ('refused', 'handoff')`,
        gte(messages.createdAt, since),
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.position))
    .limit(maxReplies)
    .as('replies');
  const asked = db
    .select({
      id: messages.id,
      position: messages.position,
      text: messages.content,
      language: messages.language,
      at: messages.createdAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, replies.conversationId),
        eq(messages.role, 'user'),
        lt(messages.position, replies.position),
      ),
    )
    .orderBy(desc(messages.position))
    .limit(maxAskedBefore)
    .as('asked');
  const { id, text, language, at } = asked;
  const { conversationId, position, outcome } = replies;
  return db
    .select({ id, text, language, at, conversationId, position, outcome })
    .from(replies)
    .crossJoinLateral(asked)
    .orderBy(desc(replies.createdAt), desc(replies.position), desc(asked.position));
};

/** Returns the question of each reply. */
const readQuestions = async (
  knowledge: KnowledgeContext,
  agentId: string,
  since: Date,
): Promise<{ questions: Question[]; isPartial: boolean }> => {
  const byReply = groupBy(await readReplies(knowledge, agentId, since), ({ position }) => String(position));
  const questions = new Map<string, Question>();
  for (const before of byReply.values()) {
    const isRefused = before[0]!.outcome === 'refused';
    // A request for a person is about the question before it.
    const question = isRefused ? before[0] : before.find((row) => !requestsHandoff(row.text));
    if (!question || talkKind(question.text) || questions.get(question.id)?.isRefused === false) continue;
    questions.set(question.id, { ...question, isRefused });
  }
  return { questions: [...questions.values()], isPartial: byReply.size === maxReplies };
};

const groupBy = <Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};

/** Each group begins with its latest question. A question without any term is in no group. */
const groupByTerms = (questions: Question[]): Question[][] => {
  const byTerms = groupBy(questions, ({ text, language }) => `${language} ${termsKey(text)}`);
  return [...byTerms.values()]
    .filter(([first]) => termsKey(first!.text) !== '')
    .map((group) => group.sort((a, b) => b.at.getTime() - a.at.getTime()));
};

/** The terms of a text in an order that does not depend on the wording. Numbers are left out: they name one thing of the visitor. */
const termsKey = (text: string): string =>
  [...new Set(terms(text))]
    .filter((term) => !/^\d+$/.test(term))
    .sort()
    .join(' ');

const latest = ([first]: Question[]): number => first!.at.getTime();

const hasWording = ({ hits }: SearchResult, text: string): boolean =>
  hits.some(({ kind, title }) => kind === 'question' && termsKey(title) === termsKey(text));

const describe = (group: Question[], found: SearchResult): UnansweredGroup => {
  const { text, language, at, conversationId } = group[0]!;
  const refused = group.filter(({ isRefused }) => isRefused).length;
  return {
    question: text,
    wordings: [...new Set(group.map((each) => each.text))].slice(0, maxWordings),
    language,
    count: group.length,
    refused,
    handedOver: group.length - refused,
    lastAt: at,
    conversationId,
    search: explain(found, []),
  };
};
