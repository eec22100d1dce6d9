/**
 * The monthly quota of conversations: one pool for the whole workspace. A conversation counts once, on its first reply.
 * The quota is reserved before the reply starts and released when there is none, so that two conversations at once
 * cannot both use the last conversation of the quota.
 */
import { and, count, eq, gte, lt, sql, sum } from 'drizzle-orm';
import { plans } from '../core/plans.ts';
import { queryRows, type DatabaseContext, type Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { agents, conversations, topUps, usageAlerts, workspaces } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import type { Usage } from '../resources/usage.ts';

/** Percentages of the quota at which an event is emitted. */
const thresholds = [80, 100];

const monthOf = (at: number): { month: string; from: Date; to: Date } => {
  const date = new Date(at);
  const from = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  const to = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
  return { month: from.toISOString().slice(0, 10), from, to };
};

const quotaOf = async (
  db: Db,
  workspaceId: string,
  at: number,
): Promise<{ included: number; extra: number; used: number }> => {
  const { month, from, to } = monthOf(at);
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const [topUp] = await db
    .select({ extra: sum(topUps.conversations) })
    .from(topUps)
    .where(and(eq(topUps.workspaceId, workspaceId), eq(topUps.month, month)));
  const [counted] = await db
    .select({ used: count() })
    .from(conversations)
    .where(
      and(
        eq(conversations.workspaceId, workspaceId),
        gte(conversations.countedAt, from),
        lt(conversations.countedAt, to),
      ),
    );
  return { included: plans[workspace!.plan].conversations, extra: Number(topUp?.extra ?? 0), used: counted!.used };
};

/** Returns false when the quota is used up. A conversation that was counted already may continue. */
export const reserveQuota = async ({ db, now }: DatabaseContext, conversation: Conversation): Promise<boolean> => {
  if (conversation.countedAt) return true;
  const { workspaceId, id } = conversation;
  return db.transaction(async (tx) => {
    await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for('update');
    const { included, extra, used } = await quotaOf(tx, workspaceId, now());
    if (used >= included + extra) return false;
    await tx
      .update(conversations)
      .set({ countedAt: new Date(now()) })
      .where(eq(conversations.id, id));
    return true;
  });
};

export const releaseQuota = async ({ db }: Pick<DatabaseContext, 'db'>, conversation: Conversation): Promise<void> => {
  if (conversation.countedAt) return;
  await db.update(conversations).set({ countedAt: null }).where(eq(conversations.id, conversation.id));
};

/** Emits `usage.threshold` at 80 % and at 100 % of the quota, each once a month. */
export const emitThresholdEvents = async ({ db, now }: DatabaseContext, workspaceId: string): Promise<void> => {
  const { included, extra, used } = await quotaOf(db, workspaceId, now());
  const reached = thresholds.filter((percent) => used * 100 >= (included + extra) * percent);
  if (reached.length === 0) return;
  await db.transaction(async (tx) => {
    const { month } = monthOf(now());
    for (const percent of reached) {
      const first = await tx
        .insert(usageAlerts)
        .values({ workspaceId, month, percent })
        .onConflictDoNothing()
        .returning();
      if (first.length === 0) continue;
      const data = await usageOf(tx, workspaceId, now());
      await emit(tx, { workspaceId, agentId: null, type: 'usage.threshold', data, at: new Date(now()) });
    }
  });
};

/** Lists the agents in `agentIds`, or all agents when it is null. */
export const usageOf = async (
  db: Db,
  workspaceId: string,
  at: number,
  agentIds: string[] | null = null,
): Promise<Usage> => {
  const { month, from, to } = monthOf(at);
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const { included, extra, used } = await quotaOf(db, workspaceId, at);
  const during = (column: string) =>
    sql.raw(`${column} >= '${from.toISOString()}'::timestamptz and ${column} < '${to.toISOString()}'::timestamptz`);
  const perAgent = await queryRows<Usage['agents'][number]>(
    db,
    sql`select a.id as agent_id, a.name,
          (select count(*)::int from conversations c where c.agent_id = a.id and ${during('c.counted_at')}) as conversations,
          (select count(*)::int from messages m join conversations c on c.id = m.conversation_id
            where c.agent_id = a.id and ${during('m.created_at')}) as messages
        from ${agents} a where a.workspace_id = ${workspaceId} order by a.created_at, a.id`,
  );
  return {
    month,
    plan: workspace!.plan,
    conversations_per_agent: included,
    pool: { included, top_ups: extra, used, remaining: Math.max(0, included + extra - used) },
    agents: perAgent.filter(({ agent_id }) => agentIds === null || agentIds.includes(agent_id)),
  };
};
