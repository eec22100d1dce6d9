/** Composes a reply from the passages and the questions with answers that match the visitor's question. */
import type { Source } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import { isCommon } from '../knowledge/common-words.ts';
import type { Embedder } from '../knowledge/embedder.ts';
import { search, type SearchResult, type Hit } from '../knowledge/search.ts';
import { stem, terms, words } from '../knowledge/terms.ts';
import { excerpt } from './excerpt.ts';
import { requestsHandoff } from './handoff.ts';
import type { Action, Reply, Turn } from './reply-source.ts';
import type { SearchExplanation, SearchRule } from '../core/search-explanation.ts';
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

/** A passage with a lower score is not relevant enough for a reply. */
const minScore = 0.33;
/** The limit when only one of several terms matches: the passage may be about another subject. */
const minScoreForOneTerm = 0.4;
/** The same when the term is not in the heading. */
const minScoreForOneTermOfBody = 0.5;
/** The limit when the question has a word that a large knowledge does not: "the membership fee of Costco". */
const minScoreWithUnknown = 0.45;
/** Chunks of a large knowledge. A small one lacks many words of its own subject. */
const largeKnowledge = 40;
/** The limit for a passage that is the only one about a word of the question. */
const minScoreOfOnlySubject = 0.25;
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
  return best !== undefined && isRelevant(best, found);
};

/** Whether the agent replies to the question from its knowledge. */
export const isCovered = (found: SearchResult): boolean => candidatesOf(found).length > 0 && isFound(found);

const candidatesOf = ({ passages }: SearchResult): Hit[] =>
  passages.filter((hit) => hit.isNear || hit.score >= minScore * 0.6);

export const knowledgeReply = (turn: Turn, found: KnowledgeSearch): Reply | undefined => {
  const candidates = candidatesOf(found);
  const best = candidates[0];
  if (!best) return undefined;
  if (!isRelevant(best, found)) return undefined;
  const chosen = [best, ...furtherPassages(best, candidates, found.weights)];
  const limit = Math.floor(maxReplyLength / chosen.length) - 2;
  return {
    text: chosen.map(({ body }) => excerpt(body, found.weights, { language: turn.language, limit })).join('\n\n'),
    outcome: 'answered',
    sources: citedSources(chosen),
    search: explain(found, chosen),
  };
};

const isRelevant = (best: Hit, found: SearchResult): boolean => best.score >= requirement(best, found).minScore;

/** Returns the score that the best passage needs, and the rule that it is from. */
const requirement = (best: Hit, found: SearchResult): { rule: SearchRule; minScore: number } => {
  if (best.isNear) return { rule: 'near_meaning', minScore: 0 };
  if (found.unknown.size > 0 && found.size >= largeKnowledge) {
    return { rule: 'unknown_word', minScore: minScoreWithUnknown };
  }
  if (isOnlySubject(best, found.passages)) return { rule: 'only_subject', minScore: minScoreOfOnlySubject };
  const matchesOneTerm = best.covers.size === 1 && [...found.weights].filter(([term]) => !isCommon(term)).length > 1;
  if (!matchesOneTerm) return { rule: 'several_terms', minScore };
  if (best.titled.size > 0) return { rule: 'one_term_of_heading', minScore: minScoreForOneTerm };
  return { rule: 'one_term_of_text', minScore: minScoreForOneTermOfBody };
};

/** Passages of an explanation. */
const maxExplained = 5;

/** Describes what a search has found, for the team. `used` are the passages that the reply is made of. */
export const explain = (found: SearchResult, used: Hit[]): SearchExplanation => {
  const best = found.passages[0];
  const rest = [...new Set([...found.passages, ...found.hits])]
    .filter((hit) => !used.includes(hit))
    .sort((a, b) => b.score - a.score);
  return {
    ...(best ? requirement(best, found) : { rule: 'nothing_found', minScore: null }),
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

/** Whether the question has a word of the heading, and matches no other heading nearly as well. */
const isOnlySubject = (best: Hit, passages: Hit[]): boolean => {
  if (best.score < minScoreOfOnlySubject || [...best.titled].every(isCommon)) return false;
  return passages.every(({ title, score }) => title === best.title || score <= best.score / 2);
};

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
