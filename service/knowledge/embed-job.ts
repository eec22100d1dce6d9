/**
 * Embeds the chunks of a source in the background, after it was indexed. Until then, and when the endpoint fails, the search
 * finds them by their terms.
 */
import { sql, type SQL } from 'drizzle-orm';
import { errorText, type Log } from '../core/log.ts';
import { queryRows, type Db } from '../db/database.ts';
import type { JobHandler } from '../jobs/job-lanes.ts';
import { addJob } from '../jobs/queue.ts';
import type { Embedder } from './embedder.ts';
import { renewKnowledge } from './indexing.ts';
import { shortened } from '../../contract/characters.ts';

interface Options {
  now: () => number;
  log: Log;
  /** Aborted when the service stops. */
  closing: AbortSignal;
}

/** Texts of one request. */
const batchSize = 32;
/** Characters of one text. Models read only some thousand. */
const maxTextLength = 6000;
/** Milliseconds after which a failed request is repeated. */
const repetitionMs = 5 * 60_000;

const embeddingJob = 'embed_source';

/** Without an embedder a job has nothing to do. */
export const createEmbedHandler = (
  db: Db,
  embedder: Embedder | undefined,
  { now, log, closing }: Options,
): JobHandler => {
  return async ({ source }) => {
    if (!embedder) return undefined;
    try {
      await embedSource(db, embedder, String(source), closing);
      return undefined;
    } catch (error) {
      closing.throwIfAborted();
      const again = new Date(now() + repetitionMs);
      log({ level: 'warn', event: 'embedding_failure', again: again.toISOString(), error: errorText(error) });
      return again;
    }
  };
};

/** Call it in the transaction that publishes the chunks of a source. */
export const addEmbeddingJob = async (
  tx: Db,
  embedder: Embedder | undefined,
  source: string,
  at: Date,
): Promise<void> => {
  if (embedder) await addJob(tx, embeddingJob, { source }, at);
};

/** Adds a job for each source whose chunks have no vectors of the model, for example because the model was changed. */
export const addMissingEmbeddings = async (db: Db, { model }: Embedder, at: Date): Promise<void> => {
  await db.execute(sql`insert into jobs (kind, payload, run_at)
    select ${embeddingJob}, jsonb_build_object('source', s.id), ${at.toISOString()}::timestamptz from sources s
    where exists (select 1 from chunks c where c.source_id = s.id and c.revision = s.indexed_revision and ${lacks(model)})
      and not exists (select 1 from jobs j where j.kind = ${embeddingJob} and j.payload ->> 'source' = s.id)`);
};

/** The condition that chunk `c` has no vector of the model. */
const lacks = (model: string): SQL => sql`c.embedding_model is distinct from ${model}`;

const embedSource = async (db: Db, embedder: Embedder, source: string, closing: AbortSignal): Promise<void> => {
  const { model } = embedder;
  let isChanged = false;
  try {
    for (;;) {
      closing.throwIfAborted();
      const batch = await queryRows<{ id: number; title: string; body: string }>(
        db,
        sql`select c.id::int, c.title, c.body from chunks c join sources s on s.id = c.source_id and s.indexed_revision = c.revision
            where s.id = ${source} and ${lacks(model)} order by c.id limit ${batchSize}`,
      );
      if (batch.length === 0) return;
      const vectors = await embedder.embedPassages(batch.map(textOf), closing);
      const rows = batch.map(({ id }, at) => sql`(${id}::bigint, ${`{${vectors[at]!.join(',')}}`}::real[])`);
      await db.execute(sql`update chunks set embedding = new.embedding, embedding_model = ${model}
        from (values ${sql.join(rows, sql`, `)}) as new (id, embedding) where chunks.id = new.id`);
      isChanged = true;
    }
  } finally {
    if (isChanged) await renewKnowledge(db, source);
  }
};

const textOf = ({ title, body }: { title: string; body: string }): string => {
  return shortened(`${title}\n\n${body}`.trim(), maxTextLength);
};
