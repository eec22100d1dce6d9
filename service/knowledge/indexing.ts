/** Stores the search index: the chunks of sources and actions. */
import { countCharacters } from '../../contract/characters.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { ListedSource, Source, StoredAction } from '../db/records.ts';
import { keepSource } from '../db/row-locks.ts';
import { chunks, sourceColumns, sources, vocabulary } from '../db/schema.ts';
import { chunkRow, passageRows, questionRows, type NewChunk } from './chunk-rows.ts';
import { deleteActionWords, insertWords } from './vocabulary.ts';

/** Rows of one statement. PGlite runs in the thread of the service, which cannot do anything else meanwhile. */
const batchSize = 10;
const deletedAtOnce = 200;

/** Indexes a trusted text, for example of the seed, in one transaction. */
export const indexSource = async (tx: Db, source: Source): Promise<void> => {
  const { agentId, items, content } = source;
  const rows = items ? questionRows(agentId, items) : passageRows(agentId, content ?? '');
  const revision = randomUUID();
  const known = new Set<string>();
  for (const batch of batches(rows, 500)) await insertChunks(tx, { sourceId: source.id, revision }, batch, known);
  await publishChunks(tx, source, revision, rows.length);
};

/**
 * Stores chunks that no search finds yet, with pauses for other calls, and returns their revision. Call `publishChunks`
 * with it. Chunks of earlier attempts are deleted.
 */
export const stageChunks = async (db: Db, { id }: Pick<Source, 'id'>, rows: NewChunk[]): Promise<string> => {
  // The source is read with each statement, because another attempt may publish its chunks meanwhile.
  const current = db.select({ revision: sources.indexedRevision }).from(sources).where(eq(sources.id, id));
  await deleteChunks(db, id, ({ revision }) => sql`${revision} <> (${current})`);
  const revision = randomUUID();
  const known = new Set<string>();
  for (const batch of batches(rows, batchSize)) {
    await paced(() => insertChunks(db, { sourceId: id, revision }, batch, known));
  }
  return revision;
};

/**
 * Replaces the chunks of a source by the staged ones at once. Lock the source before.
 * @throws {Error} When another attempt has deleted staged chunks, because it took this one for dead.
 */
export const publishChunks = async (
  tx: Db,
  source: Pick<Source, 'id' | 'content' | 'items'>,
  revision: string,
  count: number,
): Promise<ListedSource> => {
  const staged = await tx.$count(chunks, and(eq(chunks.sourceId, source.id), eq(chunks.revision, revision)));
  if (staged !== count) throw new Error('Another attempt to index the source has deleted the chunks of this one.');
  const [indexed] = await tx
    .update(sources)
    .set({
      status: 'indexed',
      error: null,
      chunkCount: count,
      extractedChars: charactersOf(source),
      indexedRevision: revision,
    })
    .where(eq(sources.id, source.id))
    .returning(sourceColumns);
  return indexed!;
};

/** Deletes the chunks and words that were published before. Not those of other revisions, which another attempt may be staging. */
export const deleteReplacedChunks = (db: Db, { id, indexedRevision }: Source): Promise<void> =>
  deleteChunks(db, id, ({ revision }) => eq(revision, indexedRevision));

const deleteChunks = async (
  db: Db,
  sourceId: string,
  isObsolete: (table: typeof chunks | typeof vocabulary) => SQL,
): Promise<void> => {
  for (const table of [chunks, vocabulary]) {
    const where = and(eq(table.sourceId, sourceId), isObsolete(table));
    const some = db.select({ id: table.id }).from(table).where(where).limit(deletedAtOnce);
    const deleteSome = () =>
      db.transaction(async (tx) => {
        await keepSource(tx, sourceId);
        return tx.delete(table).where(inArray(table.id, some)).returning({ id: table.id });
      });
    while ((await paced(deleteSome)).length === deletedAtOnce);
  }
};

/** Stores chunks with their words, except the words that are `known` from earlier chunks of the revision. */
const insertChunks = async (
  tx: Db,
  of: { sourceId: string; revision: string },
  rows: NewChunk[],
  known: Set<string>,
): Promise<void> => {
  await tx.insert(chunks).values(rows.map((row) => ({ ...row, ...of })));
  await insertWords(tx, of, rows, known);
};

function* batches(rows: NewChunk[], size: number): Generator<NewChunk[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

/** The chunks of a source have changed in place: what processes have in memory has to be read again. */
export const renewKnowledge = async (db: Db, sourceId: string): Promise<void> => {
  await db.execute(sql`update agents set knowledge_revision = gen_random_uuid()
    where id = (select agent_id from sources where id = ${sourceId})`);
};

/** Pauses after the work, so that other calls get most of the time. */
export const paced = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const startedAt = performance.now();
  const result = await work();
  await wait(Math.min(50, 1.5 * (performance.now() - startedAt)));
  return result;
};

/** The number of characters that count toward the plan's text limit. */
export const charactersOf = ({ content, items }: Pick<Source, 'content' | 'items'>): number => {
  if (content !== null) return countCharacters(content);
  return (items ?? []).reduce(
    (sum, { question, answer, alternatives }) => sum + countCharacters([question, answer, ...alternatives].join('')),
    0,
  );
};

/** An action is found by the wordings in its `config.asked_by`. */
export const indexAction = async (db: Db, action: StoredAction): Promise<void> => {
  const wordings = (Array.isArray(action.config['asked_by']) ? action.config['asked_by'] : []).filter(
    (wording): wording is string => typeof wording === 'string',
  );
  const newChunks = wordings.map((wording) => ({
    ...chunkRow(action.agentId, 'action', wording, ''),
    actionId: action.id,
  }));
  await db.transaction(async (tx) => {
    await tx.delete(chunks).where(eq(chunks.actionId, action.id));
    await deleteActionWords(tx, action.id);
    if (newChunks.length > 0) await tx.insert(chunks).values(newChunks);
    await insertWords(tx, { actionId: action.id }, newChunks, new Set());
  });
};
