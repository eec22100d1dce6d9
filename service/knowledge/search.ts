/** Searches an agent's knowledge: full-text search finds candidates, which are then scored by how much they cover. */
import { sql, type SQL } from 'drizzle-orm';
import { type Db, queryRows, textArray } from '../db/database.ts';
import type { Language } from '../core/language.ts';
import { isCommon } from './common-words.ts';
import { isPublished } from './published.ts';
import { referenceNumbers } from './reference-numbers.ts';
import { synonyms } from './synonyms.ts';
import { stem, termsWithWords, words, type Term } from './terms.ts';
import { similarWords } from './vocabulary.ts';

export interface Hit {
  kind: 'passage' | 'question' | 'action';
  title: string;
  body: string;
  sourceId: string | null;
  filename: string | null;
  url: string | null;
  actionId: string | null;
  /** From 0 to 1: the weighted share of the question's terms that match, plus a bonus for a closely matching title. */
  score: number;
  /** The terms of the question that match. */
  covers: Set<string>;
  /** The terms of the question that match the title. */
  titled: Set<string>;
}

export interface SearchResult {
  hits: Hit[];
  /** The weight of each term of the question. */
  weights: Map<string, number>;
}

interface Candidate {
  kind: Hit['kind'];
  title: string;
  body: string;
  title_terms: string;
  body_terms: string;
  source_id: string | null;
  filename: string | null;
  url: string | null;
  action_id: string | null;
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
const bodyStrength = 0.75;
/** The weight of a common word that no source contains. It hardly lowers the score. */
const unknownCommonWeight = 0.4;
const candidateLimit = 80;

export const search = async (
  db: Db,
  agentId: string,
  language: Language,
  question: string,
  /** An earlier question that this one depends on. Its terms have half the weight. */
  context = '',
): Promise<SearchResult> => {
  const ownTerms = distinctTerms(question).slice(0, 40);
  const contextTerms = distinctTerms(context)
    .filter(({ term }) => !ownTerms.some((each) => each.term === term))
    .slice(0, 20);
  if (ownTerms.length + contextTerms.length === 0) return { hits: [], weights: new Map() };

  const queryTerms = await weighTerms(db, agentId, language, [...ownTerms, ...contextTerms]);
  ignoreUnknownReferences(queryTerms, `${question} ${context}`);
  for (const each of queryTerms.slice(ownTerms.length)) each.weight *= 0.5;
  const query = [...new Set(queryTerms.flatMap((each) => [...each.forms.keys()]))].map(quoted).join(' | ');
  const candidates = await queryRows<Candidate>(
    db,
    sql`select c.kind, c.title, c.body, c.title_terms, c.body_terms, c.source_id, c.action_id,
          s.name as filename, s.source_url as url
        from chunks c left join sources s on s.id = c.source_id
        where c.agent_id = ${agentId} and c.language = ${language} and c.vector @@ to_tsquery('simple', ${query})
          and ${isPublished}
        order by ts_rank(c.vector, to_tsquery('simple', ${query})) desc, c.id
        limit ${candidateLimit}`,
  );
  const hits = candidates.map((candidate) => score(candidate, queryTerms)).sort((a, b) => b.score - a.score);
  return { hits, weights: new Map(queryTerms.map(({ term, weight }) => [term, weight])) };
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

/** A term has more weight the fewer chunks contain it. A term that no chunk contains may be a misspelling. */
const weighTerms = async (db: Db, agentId: string, language: Language, all: Term[]): Promise<QueryTerm[]> => {
  const total = await countChunks(db, agentId, language);
  // A word that no source contains often names another subject, so it counts as much as the rarest words that are known.
  const unknownWeight = inverseFrequency(0, total);
  const queryTerms: QueryTerm[] = all.map(({ term, word }) => ({
    term,
    word,
    forms: new Map([[term, 1], ...relatedStems(term, word).map((other) => [other, synonymStrength] as const)]),
    // A number that no source contains ("we are 15") does not lower the score.
    weight: /^\d+$/.test(term) ? 0 : isCommon(term) ? unknownCommonWeight : unknownWeight,
    isKnown: false,
  }));
  const countMatches = async (some: QueryTerm[]): Promise<void> => {
    const found = await countMatching(db, agentId, language, some);
    for (const [at, each] of some.entries()) {
      const matching = found[at]!;
      each.isKnown = matching > 0;
      if (each.isKnown) each.weight = inverseFrequency(matching, total);
    }
  };
  await countMatches(queryTerms);
  const unknown = queryTerms.filter(({ isKnown }) => !isKnown);
  const similar = await similarWords(
    db,
    agentId,
    language,
    unknown.map(({ word }) => word),
  );
  const corrected = unknown.filter(({ word, forms }) => {
    const found = similar.get(word) ?? [];
    for (const each of found) forms.set(stem(each), typoStrength);
    return found.length > 0;
  });
  if (corrected.length > 0) await countMatches(corrected);
  return queryTerms;
};

/** A reference number that no source contains ("my order PC-1042") says nothing about the subject of the question. */
const ignoreUnknownReferences = (queryTerms: QueryTerm[], text: string): void => {
  for (const reference of referenceNumbers(text)) {
    const parts = words(reference);
    const ofReference = queryTerms.filter(({ word }) => parts.includes(word));
    if (ofReference.every(({ isKnown }) => isKnown)) continue;
    // The letters of a number are often a word of some source ("B"). A longer word counts: "a 6-week course".
    for (const each of ofReference) if (!each.isKnown || each.word.length <= 2) each.weight = 0;
  }
};

const countChunks = async (db: Db, agentId: string, language: Language): Promise<number> => {
  const [counted] = await queryRows<{ total: number }>(
    db,
    sql`select count(*)::int as total from chunks c left join sources s on s.id = c.source_id
        where ${isOfAgent(agentId, language)}`,
  );
  return counted!.total;
};

/** Counts the chunks that match each term. */
const countMatching = async (
  db: Db,
  agentId: string,
  language: Language,
  queryTerms: QueryTerm[],
): Promise<number[]> => {
  const queries = queryTerms.map((each) => [...each.forms.keys()].map(quoted).join(' | '));
  const counted = await queryRows<{ found: number }>(
    db,
    sql`select (select count(*)::int from chunks c left join sources s on s.id = c.source_id
            where ${isOfAgent(agentId, language)} and c.vector @@ to_tsquery('simple', q.query)) as found
        from unnest(${textArray(queries)}) with ordinality as q(query, at) order by q.at`,
  );
  return counted.map((row) => row.found);
};

const isOfAgent = (agentId: string, language: Language): SQL => {
  return sql`c.agent_id = ${agentId} and c.language = ${language} and ${isPublished}`;
};

const score = (candidate: Candidate, queryTerms: QueryTerm[]): Hit => {
  const title = new Set(candidate.title_terms.split(' ').filter(Boolean));
  const body = new Set(candidate.body_terms.split(' '));
  const covers = new Set<string>();
  const titled = new Set<string>();
  const matchedInTitle = new Set<string>();
  let covered = 0;
  let total = 0;
  for (const { term, forms, weight } of queryTerms) {
    let best = 0;
    for (const [form, strength] of forms) {
      if (title.has(form)) {
        best = Math.max(best, strength);
        matchedInTitle.add(form);
        titled.add(term);
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
    kind: candidate.kind,
    title: candidate.title,
    body: candidate.body,
    sourceId: candidate.source_id,
    filename: candidate.filename,
    url: candidate.url,
    actionId: candidate.action_id,
    score: total === 0 ? 0 : (covered / total) * (0.85 + 0.15 * Math.min(1, tightness)),
    covers,
    titled,
  };
};

/** Quotes a term, so that `to_tsquery` never reads it as an operator. */
const quoted = (term: string): string => {
  return `'${term.replaceAll("'", "''")}'`;
};
