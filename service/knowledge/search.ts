/** Finds what answers a question: candidates by full text in the database, then scored by how much they cover. */
import { sql } from 'drizzle-orm';
import { rows, textArray, type Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import { editDistance } from './edit-distance.ts';
import { synonyms } from './synonyms.ts';
import { stem, termsWithWords, words, type Term } from './terms.ts';

export interface Hit {
  kind: 'passage' | 'question' | 'action';
  title: string;
  body: string;
  sourceId: string | null;
  filename: string | null;
  url: string | null;
  actionId: string | null;
  /** 0 to 1: the share of the question's meaning found, a little more where the title says just that. */
  score: number;
  /** The question's terms it speaks of. */
  covers: Set<string>;
  /** Those among them that its title names. */
  titled: Set<string>;
}

export interface Found {
  hits: Hit[];
  /** What the question asks about, by term, with the weight of each. */
  asked: Map<string, number>;
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

/** A term of the question, what may stand for it (1 for itself), and how much it tells. */
interface AskedTerm {
  term: string;
  /** As the visitor wrote it. */
  word: string;
  forms: Map<string, number>;
  weight: number;
}

const bySynonym = 0.85;
const byTypo = 0.8;
const inBody = 0.75;
/** What a word no source knows weighs: enough to doubt, not enough to drown the words that are known. */
const unknownWeight = 3;
const candidateLimit = 80;

export const search = async (
  db: Db,
  agentId: string,
  language: Language,
  question: string,
  /** An earlier question that this one leans on; its terms weigh half. */
  context = '',
): Promise<Found> => {
  const own = distinct(question).slice(0, 40);
  const lent = distinct(context)
    .filter(({ term }) => !own.some((each) => each.term === term))
    .slice(0, 20);
  if (own.length + lent.length === 0) return { hits: [], asked: new Map() };

  const asked = await weigh(db, agentId, language, [...own, ...lent]);
  for (const each of asked.slice(own.length)) each.weight *= 0.5;
  const query = [...new Set(asked.flatMap((each) => [...each.forms.keys()]))].map(quoted).join(' | ');
  const candidates = await rows<Candidate>(
    db,
    sql`select c.kind, c.title, c.body, c.title_terms, c.body_terms, c.source_id, c.action_id,
          s.name as filename, s.source_url as url
        from chunks c left join sources s on s.id = c.source_id
        where c.agent_id = ${agentId} and c.language = ${language} and c.vector @@ to_tsquery('simple', ${query})
        order by ts_rank(c.vector, to_tsquery('simple', ${query})) desc, c.id
        limit ${candidateLimit}`,
  );
  const hits = candidates.map((candidate) => score(candidate, asked)).sort((a, b) => b.score - a.score);
  return { hits, asked: new Map(asked.map(({ term, weight }) => [term, weight])) };
};

const distinct = (text: string): Term[] => {
  return [...new Map(termsWithWords(text).map((each) => [each.term, each])).values()];
};

/** A term is worth more the fewer chunks hold it. One that none holds is looked for as a misspelling. */
const weigh = async (db: Db, agentId: string, language: Language, all: Term[]): Promise<AskedTerm[]> => {
  const asked = all.map(({ term, word }) => ({
    term,
    word,
    forms: new Map([[term, 1], ...synonyms(term).map((other) => [other, bySynonym] as const)]),
    // A number that nothing speaks of ("we are 15") says nothing against an answer.
    weight: /^\d+$/.test(term) ? 0 : unknownWeight,
  }));
  let { total, found } = await count(db, agentId, language, asked);
  const unknown = asked.filter(({ word }, at) => found[at] === 0 && word.length >= 5 && !/\d/.test(word));
  if (unknown.length > 0) {
    for (const each of unknown) {
      for (const form of await similarTerms(db, agentId, language, each.word)) each.forms.set(form, byTypo);
    }
    ({ total, found } = await count(db, agentId, language, asked));
  }
  asked.forEach((each, at) => {
    const holding = found[at]!;
    if (holding > 0) each.weight = Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  });
  return asked;
};

const count = async (
  db: Db,
  agentId: string,
  language: Language,
  asked: AskedTerm[],
): Promise<{ total: number; found: number[] }> => {
  const queries = asked.map((each) => [...each.forms.keys()].map(quoted).join(' | '));
  const here = sql`c.agent_id = ${agentId} and c.language = ${language}`;
  const counted = await rows<{ found: number; total: number }>(
    db,
    sql`select (select count(*)::int from chunks c where ${here} and c.vector @@ to_tsquery('simple', q.query)) as found,
          (select count(*)::int from chunks c where ${here}) as total
        from unnest(${textArray(queries)}) with ordinality as q(query, at) order by q.at`,
  );
  return { total: counted[0]?.total ?? 0, found: counted.map((row) => row.found) };
};

/** Words of the knowledge that a misspelt one may have meant: trigrams find them, the edit distance decides. */
const similarTerms = async (db: Db, agentId: string, language: Language, misspelt: string): Promise<string[]> => {
  const near = await rows<{ word: string }>(
    db,
    sql`select word from (
          select distinct unnest(regexp_split_to_array(lower(title || ' ' || body), '[^[:alpha:]]+')) as word
          from chunks where agent_id = ${agentId} and language = ${language}
        ) as vocabulary
        where length(word) >= 4 and word_similarity(${misspelt}, word) >= 0.25
        order by similarity(${misspelt}, word) desc, word limit 30`,
  );
  const allowed = misspelt.length >= 8 ? 2 : 1;
  const measured = near
    .flatMap(({ word }) => words(word))
    .map((word) => ({ word, distance: editDistance(misspelt, word) }))
    .filter(({ distance }) => distance <= allowed);
  const closest = Math.min(...measured.map(({ distance }) => distance));
  return measured.filter(({ distance }) => distance === closest).map(({ word }) => stem(word));
};

const score = (candidate: Candidate, asked: AskedTerm[]): Hit => {
  const title = new Set(candidate.title_terms.split(' ').filter(Boolean));
  const body = new Set(candidate.body_terms.split(' '));
  const covers = new Set<string>();
  const titled = new Set<string>();
  const said = new Set<string>();
  let covered = 0;
  let total = 0;
  for (const { term, forms, weight } of asked) {
    let best = 0;
    for (const [form, strength] of forms) {
      if (title.has(form)) {
        best = Math.max(best, strength);
        said.add(form);
        titled.add(term);
      } else if (body.has(form)) {
        best = Math.max(best, strength * inBody);
      }
    }
    if (best > 0) covers.add(term);
    covered += best * weight;
    total += weight;
  }
  const tightness = title.size === 0 ? 0 : said.size / title.size;
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

/** Terms hold letters and digits only; quoting keeps `to_tsquery` from ever reading one as an operator. */
const quoted = (term: string): string => {
  return `'${term.replaceAll("'", "''")}'`;
};
