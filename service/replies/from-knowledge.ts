/** Composes a reply from the passages and the questions with answers that match the visitor's question. */
import type { Source } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Embedder } from '../knowledge/embedder.ts';
import { search, type SearchResult, type Hit } from '../knowledge/search.ts';
import { stem, terms, words } from '../knowledge/terms.ts';
import { excerpt } from './excerpt.ts';
import { requestsHandoff } from './handoff.ts';
import type { Action, Reply, Turn } from './reply-source.ts';
import type { SearchExplanation } from '../core/search-explanation.ts';
import { talkKind } from './small-talk.ts';

/** Where the knowledge is, and the model that finds it by its meaning, if one is configured. */
export interface KnowledgeContext {
  db: Db;
  embedder: Embedder | undefined;
}

export interface KnowledgeSearch extends SearchResult {
  /** The action whose wording matches the question better than any passage does. */
  action: Action | undefined;
}

/**
 * The score that a passage needs for a reply. On the trades of `bench:replies` that rules were tried on, 1.4 % of the replies are
 * wrong with it, and 4.3 % with lower limits for the only passage about a word; 75 % are right in place of 79 %.
 */
const minScore = 0.48;
/** The score of a passage that can be added to the first one. */
const minScoreOfFurther = 0.2;
/** The limit for an action, which is higher because an action has effects. */
const minActionScore = 0.6;
/** The share of the question that a further passage must cover to be added to the reply. */
const minGain = 0.2;
const maxPassages = 3;
/** Characters of a reply: about what a visitor reads without scrolling. */
const maxReplyLength = 1200;

const followUp =
  /^(and|but|also|what about|how about|what if|or|then|so)\b|\b(that|it|there|then|this one|those)\b|^(و|ماذا عن|وماذا|وكيف|وكم|طيب|بس|او)\s?|(ذلك|هذا|هذه|فيها|منها)/;
const asksHow = /^(how|what is|whats|كيف|كم|ما طريقه|هل)\b/;

/** Searches the agent's knowledge and decides whether the question requests an action. */
export const searchKnowledge = async ({ db, embedder }: KnowledgeContext, turn: Turn): Promise<KnowledgeSearch> => {
  const { agent, language, question } = turn;
  const knowledge = { agentId: agent.id, language, revision: agent.knowledgeRevision };
  const previous = previousQuestion(turn);
  const isDependent = previous !== '' && isFollowUp(question);
  const ask = (context: string) => search(db, knowledge, question, context, embedder);
  const own = await ask(isDependent ? previous : '');
  // A question of one word may depend on the one before without a sign: "Which are vegan?"
  const mayDepend = !isDependent && previous !== '' && terms(question).length <= 1;
  const found = mayDepend && !isFound(own) ? await ask(previous) : own;
  const passage = found.hits.find((hit) => hit.kind !== 'action');
  const action = found.hits.find((hit) => hit.kind === 'action');
  const lead = (action?.score ?? 0) - (passage?.score ?? 0);
  // On a tie, a question ("How do I book?") gets a reply and an order ("Book a class") runs the action.
  const isRequested =
    action && action.score >= minActionScore && (lead > 0.001 || (lead > -0.001 && !isQuestion(turn)));
  return { ...found, action: isRequested ? turn.actions.find(({ id }) => id === action.actionId) : undefined };
};

const isQuestion = (turn: Turn): boolean => {
  return asksHow.test(words(turn.question).join(' '));
};

/** Returns the latest question before this one, without those that are not about the knowledge, or an empty text. */
const previousQuestion = ({ history }: Turn): string => {
  const asked = history.findLast(
    ({ role, content }, at) =>
      role === 'user' && !requestsHandoff(content) && !talkKind(content) && !isSubmission(history[at - 1]),
  );
  return asked?.content ?? '';
};

const isSubmission = (before: Turn['history'][number] | undefined): boolean => {
  return before?.blocks?.some(({ type }) => type === 'form') ?? false;
};

/** Whether a question says by its form that it depends on the one before: "And on Friday?", "How much?", "For children?" */
const isFollowUp = (question: string): boolean => {
  const spoken = words(question);
  const ownTerms = terms(question);
  if (ownTerms.length > 4) return false;
  if (followUp.test(spoken.join(' '))) return true;
  if (ownTerms.length > 1) return false;
  return ownTerms.every((term) => attributes.has(term)) || !spoken.some((word) => questionWords.has(word));
};

/** Words for a property of what was spoken about before. */
const attributes = new Set(
  words('price cost fee duration time date size length سعر سعره سعرها بكم تكلفه مده المده وقت تاريخ حجم مقاس').map(
    stem,
  ),
);
const questionWords = new Set(
  words('when where who what which how why can could do does is are متى اين وين من ما ماذا ايش شو كيف كم هل'),
);

const isFound = (found: SearchResult): boolean => {
  const [best] = found.passages;
  return best !== undefined && isRelevant(best);
};

/** Whether the agent replies to the question from its knowledge. */
export const isCovered = (found: SearchResult): boolean => candidatesOf(found).length > 0 && isFound(found);

const candidatesOf = ({ passages }: SearchResult): Hit[] =>
  passages.filter((hit) => hit.isNear || hit.score >= minScoreOfFurther);

export const knowledgeReply = (turn: Turn, found: KnowledgeSearch): Reply | undefined => {
  const candidates = candidatesOf(found);
  const best = candidates[0];
  if (!best) return undefined;
  if (!isRelevant(best)) return undefined;
  const chosen = [best, ...furtherPassages(best, candidates, found.weights)];
  const limit = Math.floor(maxReplyLength / chosen.length) - 2;
  return {
    text: chosen.map(({ body }) => excerpt(body, found.weights, { language: turn.language, limit })).join('\n\n'),
    outcome: 'answered',
    sources: citedSources(chosen),
    search: explain(found, chosen),
  };
};

/** A passage with a near meaning needs no common terms. */
const isRelevant = ({ isNear, score }: Hit): boolean => isNear || score >= minScore;

/** Passages of an explanation. */
const maxExplained = 5;

/** Describes what a search has found, for the team. `used` are the passages that the reply is made of. */
export const explain = (found: SearchResult, used: Hit[]): SearchExplanation => {
  const best = found.passages[0];
  const rest = [...new Set([...found.passages, ...found.hits])]
    .filter((hit) => !used.includes(hit))
    .sort((a, b) => b.score - a.score);
  return {
    rule: best === undefined ? 'nothing_found' : best.isNear ? 'near_meaning' : 'matching_terms',
    minScore: best === undefined ? null : best.isNear ? 0 : minScore,
    terms: [...found.weights].map(([term, weight]) => ({
      term,
      weight: rounded(weight),
      isKnown: !found.unknown.has(term),
    })),
    passages: [...used, ...rest].slice(0, maxExplained).map((hit) => ({
      kind: hit.kind,
      title: hit.title.slice(0, maxExplainedTitle),
      sourceId: hit.sourceId,
      filename: hit.filename,
      score: rounded(hit.score),
      terms: [...hit.covers],
      isNear: hit.isNear,
      isUsed: used.includes(hit),
    })),
  };
};

/** Characters of a title: longer than any question, shorter than some headings. */
const maxExplainedTitle = 500;

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Returns further passages, each for terms of the question that no earlier passage covers. */
const furtherPassages = (best: Hit, candidates: Hit[], weights: Map<string, number>): Hit[] => {
  const open = new Map([...weights].filter(([term]) => !best.covers.has(term)));
  const total = weight([...weights.keys()], weights);
  const more: Hit[] = [];
  while (more.length < maxPassages - 1) {
    const next = candidates
      .filter((hit) => hit.body !== best.body && !more.some(({ body }) => body === hit.body))
      .map((hit) => ({
        hit,
        gain: weight(
          [...hit.covers].filter((term) => open.has(term)),
          weights,
        ),
      }))
      .sort((a, b) => b.gain - a.gain || b.hit.score - a.hit.score)[0];
    if (!next || next.gain < total * minGain) break;
    more.push(next.hit);
    for (const term of next.hit.covers) open.delete(term);
  }
  return more;
};

const weight = (some: string[], weights: Map<string, number>): number => {
  return some.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
};

/** Returns the sources of the passages, each once. */
export const citedSources = (hits: Hit[]): Source[] => {
  const byFile = new Map<string, Source>();
  for (const { sourceId, filename, title, url } of hits) {
    if (sourceId === null || filename === null || byFile.has(sourceId)) continue;
    byFile.set(sourceId, {
      file_id: sourceId,
      filename,
      ...(title === '' ? {} : { title }),
      ...(url === null ? {} : { url }),
    });
  }
  return [...byFile.values()];
};
