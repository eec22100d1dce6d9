/**
 * Makes the terms of stored chunks again in the background, because the rules in `terms.ts` have changed. Until then a search may miss
 * a chunk by a word whose stem was another one.
 */
import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { chunks, sources } from '../db/schema.ts';
import type { JobHandler } from '../jobs/job-lanes.ts';
import { chunkRow } from './chunk-rows.ts';
import { storedChunks } from './index-job.ts';
import { paced, renewKnowledge } from './indexing.ts';
import type { Parser } from './parser.ts';
import { termsVersion } from './terms.ts';

const termsJob = 'update_terms';
/** Rows of one transaction. */
const batchSize = 10;

const isOutdated = lt(chunks.termsVersion, termsVersion);

/** Adds a job for each source and action with chunks whose terms are from earlier rules. Call it at the start. */
export const addOutdatedTerms = async (db: Db, at: Date): Promise<void> => {
  await db.execute(sql`insert into jobs (kind, payload, run_at)
    select ${termsJob}, jsonb_build_object('owner', outdated.owner), ${at.toISOString()}::timestamptz
    from (select distinct coalesce(source_id, action_id) as owner from chunks where ${isOutdated}) as outdated
    where not exists (select 1 from jobs j where j.kind = ${termsJob} and j.payload ->> 'owner' = outdated.owner)`);
};

/** Handles the job of a source or an action, its `owner`. */
export const createTermsHandler = (db: Db, { parser }: { parser: Parser }): JobHandler => {
  return async (payload) => {
    const owner = String(payload['owner']);
    const [source] = await db.select().from(sources).where(eq(sources.id, owner));
    // The terms of a passage contain those of the headings above it, which only the whole text has.
    const rows = source ? await storedChunks(source, parser) : [];
    const byText = new Map(rows.map((row) => [textOf(row), row]));
    const isOfOwner = or(eq(chunks.sourceId, owner), eq(chunks.actionId, owner));
    const updateSome = () =>
      db.transaction(async (tx) => {
        const some = await tx
          .select()
          .from(chunks)
          .where(and(isOfOwner, isOutdated))
          .orderBy(chunks.id)
          .limit(batchSize);
        for (const chunk of some) {
          const { agentId, kind, title, body } = chunk;
          const { titleTerms, bodyTerms } = byText.get(textOf(chunk)) ?? chunkRow(agentId, kind, title, body);
          await tx.update(chunks).set({ titleTerms, bodyTerms, termsVersion }).where(eq(chunks.id, chunk.id));
        }
        return some.length;
      });
    while ((await paced(updateSome)) > 0);
    if (source) await renewKnowledge(db, owner);
  };
};

const textOf = ({ title, body }: { title: string; body: string }): string => `${title}\n${body}`;
