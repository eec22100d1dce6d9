/** Searches an agent's knowledge: an index of the terms finds candidates, which are then scored by how much they cover. */
import type { Db } from '../db/database.ts';
import type { Candidate, ChunkIndex, Found } from './chunk-index.ts';
import { cosine, type Embedder } from './embedder.ts';
import { fuseRanks } from './fuse-ranks.ts';
import { isCommon } from './common-words.ts';
import { chunkIndexOf, type SearchedKnowledge } from './memory-index.ts';
import { argumentNumbers, referenceNumbers } from './reference-numbers.ts';
import { synonyms } from './synonyms.ts';
import { stem, termsWithWords, words, type Term } from './terms.ts';
import { similarWords } from './vocabulary.ts';

export interface Hit extends Found {
  /** From 0 to 1: the weighted share of the question's terms that match, plus a bonus for a closely matching title. */
  score: number;
  /** The terms of the question that match. */
  covers: Set<string>;
  /** Whether the meaning is near enough to that of the question, which then needs no common terms. */
  isNear: boolean;
}

export interface SearchResult {
  /** What matches the terms, best first. */
  hits: Hit[];
  /** The passages and questions among the hits, and those whose meaning is near, best first. */
  passages: Hit[];
  /** The weight of each term of the question. */
  weights: Map<string, number>;
  /** The terms that no chunk contains in any form, without common words and numbers. Each may name another subject. */
  unknown: Set<string>;
}

/** A term of the question. */
interface QueryTerm {
  term: string;
  /** The word as the visitor wrote it. */
  word: string;
  /** The stems that match the term, each with its strength: 1 for the term itself. */
  forms: Map<string, number>;
  weight: number;
  /** Whether a chunk contains one of the forms. */
  isKnown: boolean;
}

const synonymStrength = 0.85;
const typoStrength = 0.8;
/** An adjective often has another subject than its noun: in the text alone, it is not enough for a reply. */
const adjectiveStrength = 0.6;
const bodyStrength = 0.75;
/** The weight of a common word that no source contains. It hardly lowers the score. */
const unknownCommonWeight = 0.4;
/** Passages that a search finds by their meaning. */
const maxNear = 20;

/** @param context An earlier question that this one depends on. Its terms have half the weight. */
export const search = async (
  db: Db,
  knowledge: SearchedKnowledge,
  question: string,
  context = '',
  embedder?: Embedder,
): Promise<SearchResult> => {
  const { agentId, language } = knowledge;
  const ownTerms = distinctTerms(question).slice(0, 40);
  const contextTerms = distinctTerms(context)
    .filter(({ term }) => !ownTerms.some((each) => each.term === term))
    .slice(0, 20);
  if (ownTerms.length + contextTerms.length === 0)
    return { hits: [], passages: [], weights: new Map(), unknown: new Set() };

  const index = await chunkIndexOf(db, knowledge, embedder?.model);
  const similar = (unknown: string[]) => similarWords(db, agentId, language, unknown);
  const queryTerms = await weighTerms(index, similar, [...ownTerms, ...contextTerms]);
  ignoreReferences(queryTerms, `${question} ${context}`);
  for (const each of queryTerms.slice(ownTerms.length)) each.weight *= 0.5;
  const candidates = await index.candidates([...new Set(queryTerms.flatMap((each) => [...each.forms.keys()]))]);
  const near = embedder ? await nearest(index, embedder, `${context} ${question}`.trim()) : [];
  const isNear = new Set(near);
  const scores = new Map(
    [...candidates, ...near].map((candidate) => [candidate, score(candidate, queryTerms, isNear.has(candidate))]),
  );
  const scoresOf = (some: Candidate[]) => some.map((candidate) => scores.get(candidate)!);
  const hits = scoresOf(candidates).sort((a, b) => b.score - a.score);
  const found = hits.filter(({ kind }) => kind !== 'action');
  return {
    hits,
    passages: near.length > 0 ? fuseRanks([found, scoresOf(near)]) : found,
    weights: new Map(queryTerms.map(({ term, weight }) => [term, weight])),
    unknown: new Set(
      queryTerms
        .filter(({ forms, weight, isKnown }) => !isKnown && weight > 0 && ![...forms.keys()].some(isCommon))
        .map(({ term }) => term),
    ),
  };
};

/** Returns the passages whose meaning is near enough to that of the question, nearest first. */
const nearest = async ({ embedded }: ChunkIndex, embedder: Embedder, question: string): Promise<Candidate[]> => {
  const passages = embedded.filter(({ kind }) => kind !== 'action');
  const vector = passages.length > 0 ? await embedder.embedQuestion(question) : undefined;
  if (!vector) return [];
  return passages
    .map((candidate) => ({ candidate, similarity: cosine(candidate.embedding!, vector) }))
    .filter(({ similarity }) => similarity >= embedder.minSimilarity)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, maxNear)
    .map(({ candidate }) => candidate);
};

const distinctTerms = (text: string): Term[] => {
  return [...new Map(termsWithWords(text).map((each) => [each.term, each])).values()];
};

/** The inverse document frequency of BM25. */
const inverseFrequency = (matching: number, total: number): number => {
  return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
};

/** Returns the stems of synonyms. An Arabic word may begin with a conjunction or preposition of one letter. */
const relatedStems = (term: string, word: string): string[] => {
  const rest = /^[وفبلك](?=[\u0600-\u06FF]{3})/.test(word) ? stem(word.slice(1)) : term;
  return [...new Set([...synonyms(term), ...(rest === term ? [] : [rest, ...synonyms(rest)])])];
};

/** Returns the stems of the Arabic adjective of a noun, and of the noun of an adjective. */
const adjectives = (term: string): string[] => {
  if (!/^[\u0600-\u06FF]{3,}$/.test(term)) return [];
  return term.endsWith('ي') ? [term.slice(0, -1)] : [`${term}ي`];
};

/** A term has more weight the fewer chunks contain it. A term that no chunk contains may be a misspelling. */
const weighTerms = async (
  index: ChunkIndex,
  similarTo: (unknown: string[]) => Promise<Map<string, string[]>>,
  all: Term[],
): Promise<QueryTerm[]> => {
  const total = await index.count();
  // A word that no source contains often names another subject, so it counts as much as the rarest words that are known.
  const unknownWeight = inverseFrequency(0, total);
  const queryTerms: QueryTerm[] = all.map(({ term, word }) => ({
    term,
    word,
    forms: new Map([
      ...adjectives(term).map((other) => [other, adjectiveStrength] as const),
      ...relatedStems(term, word).map((other) => [other, synonymStrength] as const),
      [term, 1],
    ]),
    // A number that no source contains ("we are 15") does not lower the score.
    weight: /^\d+$/.test(term) ? 0 : isCommon(term) ? unknownCommonWeight : unknownWeight,
    isKnown: false,
  }));
  const countMatches = async (some: QueryTerm[]): Promise<void> => {
    const found = await index.countMatching(some.map(({ forms }) => [...forms.keys()]));
    for (const [at, each] of some.entries()) {
      const matching = found[at]!;
      each.isKnown = matching > 0;
      if (each.isKnown) each.weight = inverseFrequency(matching, total);
    }
  };
  await countMatches(queryTerms);
  const unknown = queryTerms.filter(({ isKnown }) => !isKnown);
  const similar = await similarTo(unknown.map(({ word }) => word));
  const corrected = unknown.filter(({ word, forms }) => {
    const found = similar.get(word) ?? [];
    for (const each of found) forms.set(stem(each), typoStrength);
    return found.length > 0;
  });
  if (corrected.length > 0) await countMatches(corrected);
  return queryTerms;
};

/** A reference number says nothing about the subject of the question if it is an argument, or if no source contains it. */
const ignoreReferences = (queryTerms: QueryTerm[], text: string): void => {
  const args = new Set(argumentNumbers(text));
  for (const reference of referenceNumbers(text)) {
    const parts = words(reference);
    const ofReference = queryTerms.filter(({ word }) => parts.includes(word));
    if (args.has(reference)) {
      for (const each of ofReference) ignore(each);
      continue;
    }
    if (ofReference.every(({ isKnown }) => isKnown)) continue;
    // The letters of a number are often a word of some source ("B"). A longer word counts: "a 6-week course".
    for (const each of ofReference) if (!each.isKnown || each.word.length <= 2) each.weight = 0;
  }
};

/** The term finds nothing, and does not lower the score of what the other terms find. */
const ignore = (queryTerm: QueryTerm): void => {
  queryTerm.weight = 0;
  queryTerm.forms.clear();
};

const score = (candidate: Candidate, queryTerms: QueryTerm[], isNear: boolean): Hit => {
  const { titleTerms: title, bodyTerms: body, embedding: _, ...found } = candidate;
  const covers = new Set<string>();
  const matchedInTitle = new Set<string>();
  let covered = 0;
  let total = 0;
  for (const { term, forms, weight } of queryTerms) {
    let best = 0;
    for (const [form, strength] of forms) {
      if (title.has(form)) {
        best = Math.max(best, strength);
        matchedInTitle.add(form);
      } else if (body.has(form)) {
        best = Math.max(best, strength * bodyStrength);
      }
    }
    if (best > 0) covers.add(term);
    covered += best * weight;
    total += weight;
  }
  const tightness = title.size === 0 ? 0 : matchedInTitle.size / title.size;
  return {
    ...found,
    score: total === 0 ? 0 : (covered / total) * (0.85 + 0.15 * Math.min(1, tightness)),
    covers,
    isNear,
  };
};
