/** Imports a batch of questions with answers: validates, stores and indexes it in one call. */
import { and, eq, isNull, lte, or, type SQL } from 'drizzle-orm';
import { errorText, type Log } from '../core/log.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import { endLease, leaseEnd, type LeaseContext } from '../db/lease.ts';
import type { Agent, Source } from '../db/records.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { lockAgent } from '../db/row-locks.ts';
import { agents, sources, type QuestionItem } from '../db/schema.ts';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Plan } from '../core/plans.ts';
import { addJob } from '../jobs/queue.ts';
import { serializeSource, type SourceOut } from '../resources/source.ts';
import { addEmbeddingJob } from './embed-job.ts';
import type { Embedder } from './embedder.ts';
import { emitSourceEvent } from './index-job.ts';
import { charactersOf, deleteReplacedChunks, publishChunks, stageChunks } from './indexing.ts';
import type { Parser } from './parser.ts';
import { requireTextAllowance } from './text-limit.ts';

export interface ImportContext extends DatabaseContext, Pick<LeaseContext, 'closing'> {
  log: Log;
  parser: Parser;
  embedder: Embedder | undefined;
}

interface Batch {
  name: string;
  items: QuestionItem[];
}

export const importQuestions = async (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  batch: Batch,
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> => {
  await requireNoProblems(context, batch);
  return whileImporting(context, agent, () => storeBatch(context, agent, plan, batch, saveResponse));
};

/** Changes the items of a batch, or of a new batch with this name. `change` gets the items, and returns the new ones. */
export const changeQuestions = (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  name: string,
  change: (items: QuestionItem[]) => QuestionItem[],
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> =>
  whileImporting(context, agent, async () => {
    const [before] = await context.db.select({ items: sources.items }).from(sources).where(isBatch(agent, name));
    const batch = { name, items: change(before?.items ?? []) };
    await requireNoProblems(context, batch);
    return storeBatch(context, agent, plan, batch, saveResponse);
  });

const isBatch = ({ id }: Agent, name: string): SQL | undefined =>
  and(eq(sources.agentId, id), eq(sources.type, 'qa_bulk'), eq(sources.name, name));

const requireNoProblems = async ({ parser }: ImportContext, { items }: Batch): Promise<void> => {
  const details = await parser.run('problems', { items });
  if (details.length > 0) throw new ApiError('validation_error', { details });
};

/** Only one import runs for an agent at a time. Its lease ends even if the process dies. */
const whileImporting = async (
  context: ImportContext,
  agent: Agent,
  work: () => Promise<SourceOut>,
): Promise<SourceOut> => {
  const { db, now } = context;
  const importingUntil = leaseEnd(now);
  const isFree = or(isNull(agents.importingUntil), lte(agents.importingUntil, new Date(now())));
  const claimed = await db
    .update(agents)
    .set({ importingUntil })
    .where(and(eq(agents.id, agent.id), isFree))
    .returning({ id: agents.id });
  if (claimed.length === 0) throw new ApiError('conflict', { details: 'import_running' });
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    context.log({ level: 'error', event: 'import_failure', error: errorText(error) });
    throw new ApiError('import_failed');
  } finally {
    const isOurs = and(eq(agents.id, agent.id), eq(agents.importingUntil, importingUntil));
    await endLease(context, () => db.update(agents).set({ importingUntil: null }).where(isOurs));
  }
};

/**
 * Stores the chunks first, which no search finds yet, and then the batch. If the process dies in between, a job finishes
 * a new batch, and an earlier batch of the same name stays in use.
 */
const storeBatch = async (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  batch: Batch,
  saveResponse: SaveResponse<SourceOut>,
) => {
  const { db, now, parser } = context;
  const rows = await parser.run('questions', { agentId: agent.id, items: batch.items });
  const { source, isNew } = await findOrCreate(context, agent, plan, batch);
  let response: SourceOut;
  try {
    const revision = await stageChunks(db, source, rows);
    response = await db.transaction(async (tx) => {
      await lockAgent(tx, agent.id);
      await requireAllowance(tx, agent, plan, batch, source.id);
      const next = { items: batch.items, version: isNew ? 1 : source.version + 1, updatedAt: new Date(now()) };
      const changed = await tx.update(sources).set(next).where(eq(sources.id, source.id)).returning();
      if (changed.length === 0) throw new ApiError('conflict', { details: 'source_deleted' });
      const indexed = await publishChunks(tx, changed[0]!, revision, rows.length);
      await emitSourceEvent(tx, indexed, 'source.synced', now());
      await addEmbeddingJob(tx, context.embedder, source.id, new Date(now()));
      return saveResponse(tx, serializeSource(indexed));
    });
  } catch (error) {
    if (!(await exists(db, source))) throw new ApiError('conflict', { details: 'source_deleted' });
    if (isNew) await db.delete(sources).where(eq(sources.id, source.id));
    throw error;
  }
  // The batch is stored, and no search finds the replaced chunks.
  await deleteReplacedChunks(db, source).catch((error: unknown) =>
    context.log({ level: 'error', event: 'import_failure', error: errorText(error) }),
  );
  return response;
};

const exists = async (db: Db, { id }: Source): Promise<boolean> => (await db.$count(sources, eq(sources.id, id))) > 0;

const findOrCreate = async (
  { db, now }: ImportContext,
  agent: Agent,
  plan: Plan,
  batch: Batch,
): Promise<{ source: Source; isNew: boolean }> => {
  const { name, items } = batch;
  const at = new Date(now());
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(sources).where(isBatch(agent, name)).for('update');
    await requireAllowance(tx, agent, plan, batch, before?.id);
    if (before) return { source: before, isNew: before.status !== 'indexed' };
    const fields = { agentId: agent.id, type: 'qa_bulk', status: 'embedding', name, items } as const;
    const [source] = await tx
      .insert(sources)
      .values({ ...fields, id: newId('src'), createdAt: at, updatedAt: at })
      .returning();
    await addJob(tx, 'index_source', { source: source!.id, version: source!.version }, leaseEnd(now));
    return { source: source!, isNew: true };
  });
};

const requireAllowance = (tx: Db, agent: Agent, plan: Plan, { items }: Batch, except?: string): Promise<void> => {
  return requireTextAllowance(tx, agent.id, plan, charactersOf({ content: null, items }), except);
};
