/** Imports a batch of questions as a whole: checked, stored and indexed before it is answered. */
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Agent } from '../chat/conversations.ts';
import { agents, sources, type QuestionItem } from '../db/schema.ts';
import type { Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import type { Hold } from '../http/idempotency.ts';
import { newId } from '../core/ids.ts';
import type { Plan } from '../core/plans.ts';
import { serialiseSource, type SourceOut } from '../resources/source.ts';
import { tell } from './index-job.ts';
import { charactersOf, questionChunks, storeChunks } from './indexing.ts';
import { findProblems } from './questions.ts';
import { requireTextAllowance } from './text-limit.ts';

/** An import that has not ended by then has died with its process. */
const importLeaseMs = 60_000;

interface Batch {
  name: string;
  items: QuestionItem[];
}

type ReplyEffects = Hold<SourceOut>['keep'];

export const importQuestions = async (
  dependencies: Dependencies,
  agent: Agent,
  plan: Plan,
  batch: Batch,
  keep: ReplyEffects,
): Promise<SourceOut> => {
  const details = findProblems(batch.items);
  if (details.length > 0) throw new ApiError('validation_error', { details });
  const { db, now } = dependencies;
  const until = new Date(now() + importLeaseMs);
  const taken = await db
    .update(agents)
    .set({ importingUntil: until })
    .where(and(eq(agents.id, agent.id), or(isNull(agents.importingUntil), lte(agents.importingUntil, new Date(now())))))
    .returning({ id: agents.id });
  if (taken.length === 0) throw new ApiError('conflict', { details: 'import_running' });
  try {
    return await store(dependencies, agent, plan, batch, keep);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    dependencies.log({
      level: 'error',
      event: 'import_failure',
      error: error instanceof Error ? error.stack : String(error),
    });
    throw new ApiError('import_failed');
  } finally {
    await db.update(agents).set({ importingUntil: null }).where(eq(agents.id, agent.id));
  }
};

const store = async (
  { db, now }: Dependencies,
  agent: Agent,
  plan: Plan,
  { name, items }: Batch,
  keep: ReplyEffects,
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
    await tell(tx, indexed, 'source.synced', now());
    return keep(tx, serialiseSource(indexed));
  });
};
