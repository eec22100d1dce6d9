/** The words of the knowledge that misspelled words are compared with. */
import { DrizzleQueryError, eq, sql } from 'drizzle-orm';
import type { Language } from '../core/language.ts';
import { queryRows, textArray, type Db } from '../db/database.ts';
import { vocabulary } from '../db/schema.ts';
import type { NewChunk } from './chunk-rows.ts';
import { editDistance } from './edit-distance.ts';
import { isPublished } from './published.ts';
import { words } from './terms.ts';

const minLength = 4;
/** Letters of a longer word. The edit distance takes quadratic time. */
const maxLength = 40;
/** Different words of one source. A text of random letters has many more, which nobody misspells. */
const maxWords = 50_000;
/** Words of one question. */
const maxMisspelled = 8;
/** Candidates for each misspelled word. */
const maxCandidates = 30;
/** The share of common trigrams. A pair of five letters with one of them different has 0.2 or more. */
const minSimilarity = 0.2;
/** A question is answered without corrections rather than late. PGlite has no timeout. */
const timeoutMs = 500;
/** Rows of one statement. */
const batchSize = 1000;

interface Owner {
  sourceId?: string;
  actionId?: string;
  revision?: string;
}

/** Stores the words of chunks, except those that `known` has already, and adds them to `known`. */
export const insertWords = async (tx: Db, owner: Owner, rows: NewChunk[], known: Set<string>): Promise<void> => {
  const added: (typeof vocabulary.$inferInsert)[] = [];
  for (const { agentId, language, title, body } of rows) {
    for (const word of words(`${title} ${body}`)) {
      const entry = `${language} ${word}`;
      if (!canBeCorrected(word, minLength) || known.has(entry) || known.size >= maxWords) continue;
      known.add(entry);
      added.push({ ...owner, agentId, language, word });
    }
  }
  for (let at = 0; at < added.length; at += batchSize) {
    await tx.insert(vocabulary).values(added.slice(at, at + batchSize));
  }
};

const canBeCorrected = (word: string, min: number): boolean => {
  return word.length >= min && word.length <= maxLength && /^\p{L}+$/u.test(word);
};

export const deleteActionWords = async (tx: Db, actionId: string): Promise<void> => {
  await tx.delete(vocabulary).where(eq(vocabulary.actionId, actionId));
};

/** Finds the words that each of the given words may stand for: by trigrams, then by the edit distance. */
export const similarWords = async (
  db: Db,
  agentId: string,
  language: Language,
  unknown: string[],
): Promise<Map<string, string[]>> => {
  const misspelled = unknown.filter((word) => canBeCorrected(word, minLength + 1)).slice(0, maxMisspelled);
  if (misspelled.length === 0) return new Map();
  const candidates = await readCandidates(db, agentId, language, misspelled).catch((error: unknown) => {
    if (isTimeout(error)) return [];
    throw error;
  });
  return new Map(
    misspelled.map((word) => [
      word,
      closest(
        word,
        candidates.filter((each) => each.misspelled === word),
      ),
    ]),
  );
};

interface Candidate {
  misspelled: string;
  word: string;
}

const readCandidates = (db: Db, agentId: string, language: Language, misspelled: string[]): Promise<Candidate[]> => {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('pg_trgm.similarity_threshold', ${String(minSimilarity)}, true),
      set_config('statement_timeout', ${String(timeoutMs)}, true)`);
    return queryRows<Candidate>(
      tx,
      sql`select m.misspelled, near.word
          from unnest(${textArray(misspelled)}) as m(misspelled) cross join lateral (
            select c.word from vocabulary c left join sources s on s.id = c.source_id
            where c.agent_id = ${agentId} and c.language = ${language} and c.word % m.misspelled and ${isPublished}
              and length(c.word) between length(m.misspelled) - 2 and length(m.misspelled) + 2
            group by c.word
            order by similarity(c.word, m.misspelled) desc, c.word limit ${maxCandidates}) as near`,
    );
  });
};

const closest = (misspelled: string, candidates: Candidate[]): string[] => {
  const allowed = misspelled.length >= 8 ? 2 : 1;
  const measured = candidates
    .map(({ word }) => ({ word, distance: editDistance(misspelled, word) }))
    .filter(({ distance }) => distance <= allowed);
  const least = Math.min(...measured.map(({ distance }) => distance));
  return measured.filter(({ distance }) => distance === least).map(({ word }) => word);
};

/** Whether PostgreSQL ended the statement because of `statement_timeout`. */
const isTimeout = (error: unknown): boolean => {
  return error instanceof DrizzleQueryError && (error.cause as { code?: string } | undefined)?.code === '57014';
};
