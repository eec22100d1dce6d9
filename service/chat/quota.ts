/**
 * The monthly quota of conversations: one pool for the whole workspace. A conversation counts once, on its first reply.
 * The quota is reserved before the reply starts and released when there is none, so that two conversations at once
 * cannot both use the last conversation of the quota.
 */
import { and, asc, eq, sql, sum } from 'drizzle-orm';
import { plans } from '../core/plans.ts';
import { prepared, type DatabaseContext, type Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { lockWorkspace } from '../db/row-locks.ts';
import { agents, conversations, topUps, usageAlerts, workspaces } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import { emit } from '../events/emit.ts';
import { notifyOwners } from '../mail/notices.ts';
import type { Usage } from '../resources/usage.ts';
import { countUsage, monthOf, usageByAgent, usageCount, usageValues } from './usage-counts.ts';

/** Percentages of the quota at which an event is emitted. */
const firstThreshold = 80;
const thresholds = [firstThreshold, 100];

export const quotaOf = async (db: Db, workspaceId: string, at: number) => {
  const month = monthOf(at);
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const { plan } = workspace!;
  const [topUp] = await db
    .select({ extra: sum(topUps.conversations) })
    .from(topUps)
    .where(and(eq(topUps.workspaceId, workspaceId), eq(topUps.month, month)));
  const counts = await usageByAgent(db, workspaceId, month);
  const used = [...counts.values()].reduce((total, each) => total + each.conversations, 0);
  return { plan, included: plans[plan].conversations, extra: Number(topUp?.extra ?? 0), used, counts };
};

/**
 * Conversations below a threshold from which on the workspace is locked. Without the lock, a count misses those that other
 * connections of the database are storing, which are fewer.
 */
const lockDistance = 1000;

/**
 * Returns false when the quota is used up. A conversation that was counted already may continue.
 * @throws {ApiError | TurnLostError} When the turn has lost the conversation, which its next turn counts.
 */
export const reserveQuota = async (context: DatabaseContext, conversation: Conversation): Promise<boolean> => {
  if (conversation.countedAt) return true;
  if (await reserveWithoutLock(context, conversation)) return true;
  const { db, now } = context;
  const { workspaceId, id } = conversation;
  return inTurn(db, conversation, async (tx) => {
    // Transactions that only refer to the workspace do not wait for this lock.
    await lockWorkspace(tx, workspaceId);
    const countedAt = new Date(now());
    const { included, extra, used } = await quotaOf(tx, workspaceId, countedAt.getTime());
    const total = included + extra;
    if (used >= total) return false;
    await tx.update(conversations).set({ countedAt }).where(eq(conversations.id, id));
    await countUsage(tx, conversation, countedAt, { conversations: 1 });
    await emitThresholds(tx, workspaceId, { used: used + 1, total }, countedAt);
    return true;
  });
};

const includedByPlan = sql.join(
  Object.entries(plans).map(([plan, { conversations: included }]) => sql.raw(`when '${plan}' then ${included}`)),
  sql` `,
);

/**
 * Counts the conversation when the next threshold is far away. Returns false when it is not, or when the turn has lost the
 * conversation. If every reservation locks the workspace, 1,000 streams that start at once wait twice as long for their first
 * text: 8.8 s in place of 4.4 s at the 95th percentile. `service-load.ts` measures it.
 */
const reserveWithoutLock = async ({ db, now }: DatabaseContext, conversation: Conversation): Promise<boolean> => {
  const at = new Date(now());
  const values = {
    id: conversation.id,
    holder: conversation.turnHolder,
    countedAt: at.toISOString(),
    ...usageValues(conversation, at, { conversations: 1 }),
  };
  const reserved = await reserveStatement(db, values);
  return reserved.length > 0;
};

const reserveStatement = prepared('quota.reserve', (db) => {
  const isMonth = sql`workspace_id = ${sql.placeholder('workspaceId')} and month = ${sql.placeholder('month')}`;
  const quota = sql`select case plan ${includedByPlan} end
      + (select coalesce(sum(conversations), 0) from top_ups where ${isMonth}) as total,
      (select coalesce(sum(conversations), 0) from monthly_usage where ${isMonth}) as used
    from workspaces where id = ${sql.placeholder('workspaceId')}`;
  const reserved = sql`update conversations set counted_at = ${sql.placeholder('countedAt')}::timestamptz
    from quota where conversations.id = ${sql.placeholder('id')} and turn_holder = ${sql.placeholder('holder')}
      and used + ${sql.raw(`${lockDistance}`)} < total * ${sql.raw(`${firstThreshold / 100}`)}
    returning conversations.id`;
  return db
    .with(
      db.$with('quota', {}).as(quota),
      db.$with('reserved', {}).as(reserved),
      db.$with('counted', {}).as(usageCount(sql`reserved`)),
    )
    .select({ id: sql<string>`id` })
    .from(sql`reserved`);
});

/** @throws {ApiError | TurnLostError} When the turn has lost the conversation, whose next turn may have replied. */
export const releaseQuota = async ({ db }: Pick<DatabaseContext, 'db'>, conversation: Conversation): Promise<void> => {
  if (conversation.countedAt) return;
  await inTurn(db, conversation, async (tx, { id, countedAt }) => {
    if (!countedAt) return;
    await tx.update(conversations).set({ countedAt: null }).where(eq(conversations.id, id));
    // The month may have ended since the conversation was counted.
    await countUsage(tx, conversation, countedAt, { conversations: -1 });
  });
};

/** Emits `usage.threshold` at 80 % and at 100 % of the quota, each once a month. */
const emitThresholds = async (
  tx: Db,
  workspaceId: string,
  { used, total }: { used: number; total: number },
  at: Date,
): Promise<void> => {
  for (const percent of thresholds.filter((each) => used * 100 >= total * each)) {
    const first = await tx
      .insert(usageAlerts)
      .values({ workspaceId, month: monthOf(at.getTime()), percent })
      .onConflictDoNothing()
      .returning();
    if (first.length === 0) continue;
    const data = await usageOf(tx, workspaceId, at.getTime());
    await notifyOwners(tx, { workspaceId, kind: 'quota_reached', detail: { percent, used, total }, at });
    await emit(tx, { workspaceId, agentId: null, type: 'usage.threshold', data, at });
  }
};

/** Lists the agents in `agentIds`, or all agents when it is null. */
export const usageOf = async (
  db: Db,
  workspaceId: string,
  at: number,
  agentIds: string[] | null = null,
): Promise<Usage> => {
  const { plan, included, extra, used, counts } = await quotaOf(db, workspaceId, at);
  const all = await db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(eq(agents.workspaceId, workspaceId))
    .orderBy(asc(agents.createdAt), asc(agents.id));
  return {
    month: monthOf(at),
    plan,
    conversations_per_agent: included,
    pool: { included, top_ups: extra, used, remaining: Math.max(0, included + extra - used) },
    agents: all
      .filter(({ id }) => agentIds === null || agentIds.includes(id))
      .map(({ id, name }) => ({ agent_id: id, name, conversations: 0, messages: 0, ...counts.get(id) })),
  };
};
