/** Imports a batch of questions with answers: validates, stores and indexes it in one call. */
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import { errorText, type Log } from '../core/log.ts';
import type { DatabaseContext } from '../db/database.ts';
import { leaseEnd } from '../db/lease.ts';
import type { Agent } from '../db/records.ts';
import type { SaveResponse } from '../db/repeatable-call.ts';
import { agents, sources, type QuestionItem } from '../db/schema.ts';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Plan } from '../core/plans.ts';
import { serialiseSource, type SourceOut } from '../resources/source.ts';
import { emitSourceEvent } from './index-job.ts';
import { charactersOf, questionChunks, storeChunks } from './indexing.ts';
import { findProblems } from './questions.ts';
import { requireTextAllowance } from './text-limit.ts';

interface ImportContext extends DatabaseContext {
  log: Log;
}

interface Batch {
  name: string;
  items: QuestionItem[];
}

/** Only one import runs for an agent at a time. Its lease ends even if the process dies. */
export const importQuestions = async (
  context: ImportContext,
  agent: Agent,
  plan: Plan,
  batch: Batch,
  saveResponse: SaveResponse<SourceOut>,
): Promise<SourceOut> => {
  const details = findProblems(batch.items);
  if (details.length > 0) throw new ApiError('validation_error', { details });
  const { db, now } = context;
  const isFree = or(isNull(agents.importingUntil), lte(agents.importingUntil, new Date(now())));
  const claimed = await db
    .update(agents)
    .set({ importingUntil: leaseEnd(now) })
    .where(and(eq(agents.id, agent.id), isFree))
    .returning({ id: agents.id });
  if (claimed.length === 0) throw new ApiError('conflict', { details: 'import_running' });
  try {
    return await storeBatch(context, agent, plan, batch, saveResponse);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    context.log({ level: 'error', event: 'import_failure', error: errorText(error) });
    throw new ApiError('import_failed');
  } finally {
    await db.update(agents).set({ importingUntil: null }).where(eq(agents.id, agent.id));
  }
};

const storeBatch = async (
  { db, now }: DatabaseContext,
  agent: Agent,
  plan: Plan,
  { name, items }: Batch,
  saveResponse: SaveResponse<SourceOut>,
) => {
  const at = new Date(now());
  return db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(sources)
      .where(and(eq(sources.agentId, agent.id), eq(sources.type, 'qa_bulk'), eq(sources.name, name)))
      .for('update');
    await requireTextAllowance(tx, agent.id, plan, charactersOf({ content: null, items }), before?.id);
    const [stored] = before
      ? await tx
          .update(sources)
          .set({ items, version: before.version + 1, updatedAt: at })
          .where(eq(sources.id, before.id))
          .returning()
      : await tx
          .insert(sources)
          .values({
            id: newId('src'),
            agentId: agent.id,
            type: 'qa_bulk',
            name,
            status: 'uploaded',
            items,
            createdAt: at,
            updatedAt: at,
          })
          .returning();
    const indexed = await storeChunks(tx, stored!, questionChunks(stored!));
    await emitSourceEvent(tx, indexed, 'source.synced', now());
    return saveResponse(tx, serialiseSource(indexed));
  });
};
