/** The chunks of an agent in the database, found by its full-text search. */
import { sql, type SQL } from 'drizzle-orm';
import type { Language } from '../core/language.ts';
import { type Db, queryRows, textArray } from '../db/database.ts';
import { candidateLimit, type Candidate, type ChunkIndex, type Found } from './chunk-index.ts';
import { normalizedVector } from './embedder.ts';
import { isPublished } from './published.ts';

export const databaseIndex = (db: Db, agentId: string, language: Language): ChunkIndex => {
  return {
    embedded: [],

    async count() {
      const [counted] = await queryRows<{ total: number }>(
        db,
        sql`select count(*)::int as total from chunks c left join sources s on s.id = c.source_id
            where ${isOfAgent(agentId, language)}`,
      );
      return counted!.total;
    },

    async countMatching(lists) {
      const counted = await queryRows<{ found: number }>(
        db,
        sql`select (select count(*)::int from chunks c left join sources s on s.id = c.source_id
                where ${isOfAgent(agentId, language)} and c.vector @@ to_tsquery('simple', q.query)) as found
            from unnest(${textArray(lists.map(anyOf))}) with ordinality as q(query, at) order by q.at`,
      );
      return counted.map((row) => row.found);
    },

    async candidates(forms) {
      const query = anyOf(forms);
      const rows = await queryRows<ChunkRow>(
        db,
        sql`select ${chunkColumns} from chunks c left join sources s on s.id = c.source_id
            where ${isOfAgent(agentId, language)} and c.vector @@ to_tsquery('simple', ${query})
            order by ts_rank(c.vector, to_tsquery('simple', ${query})) desc, c.id
            limit ${candidateLimit}`,
      );
      return rows.map(candidateOf);
    },
  };
};

export interface ChunkRow extends Found {
  titleTerms: string;
  bodyTerms: string;
  embedding?: number[] | null;
}

/** The columns of a `ChunkRow`, of chunks `c` and sources `s`. */
export const chunkColumns = sql`c.kind, c.title, c.body, c.title_terms as "titleTerms", c.body_terms as "bodyTerms",
  c.source_id as "sourceId", c.action_id as "actionId", s.name as filename, s.source_url as url`;

export const candidateOf = (row: ChunkRow): Candidate => {
  return {
    ...row,
    titleTerms: new Set(splitTerms(row.titleTerms)),
    bodyTerms: new Set(splitTerms(row.bodyTerms)),
    embedding: row.embedding ? normalizedVector(row.embedding) : undefined,
  };
};

export const splitTerms = (terms: string): string[] => terms.split(' ').filter(Boolean);

export const isOfAgent = (agentId: string, language: Language): SQL => {
  return sql`c.agent_id = ${agentId} and c.language = ${language} and ${isPublished}`;
};

/** Quotes the terms, so that `to_tsquery` never reads one as an operator. */
const anyOf = (terms: string[]): string => terms.map((term) => `'${term.replaceAll("'", "''")}'`).join(' | ');
