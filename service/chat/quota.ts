/**
 * The monthly quota of conversations: one pool for the whole workspace. A conversation counts once, on its first reply.
 * The quota is reserved before the reply starts and released when there is none, so that two conversations at once
 * cannot both use the last conversation of the quota.
 */
import { and, asc, eq, sql, sum } from 'drizzle-orm';
import { plans } from '../core/plans.ts';
import { prepared, type DatabaseContext, type Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { agents, conversations, topUps, usageAlerts, workspaces } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { notifyOwners } from '../mail/notices.ts';
import type { Usage } from '../resources/usage.ts';
import { countUsage, monthOf, usageByAgent, usageCount, usageValues } from './usage-counts.ts';

/** Percentages of the quota at which an event is emitted. */
const firstThreshold = 80;
const thresholds = [firstThreshold, 100];

export const quotaOf = async (
  db: Db,
  workspaceId: string,
  at: number,
): Promise<{ included: number; extra: number; used: number }> => {
  const month = monthOf(at);
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const [topUp] = await db
    .select({ extra: sum(topUps.conversations) })
    .from(topUps)
    .where(and(eq(topUps.workspaceId, workspaceId), eq(topUps.month, month)));
  const counts = [...(await usageByAgent(db, workspaceId, month)).values()];
  const used = counts.reduce((total, each) => total + each.conversations, 0);
  return { included: plans[workspace!.plan].conversations, extra: Number(topUp?.extra ?? 0), used };
};

/**
 * Conversations below a threshold from which on the workspace is locked. Without the lock, a count misses those that other
 * connections of the database are storing, which are fewer.
 */
const lockDistance = 1000;

/** `open` when the quota has room, and no threshold is near. */
type Reservation = 'open' | 'reserved' | 'refused';

/** A conversation that was counted already may continue. */
export const reserveQuota = async (context: DatabaseContext, conversation: Conversation): Promise<Reservation> => {
  if (conversation.countedAt) return 'open';
  if (await reserveWithoutLock(context, conversation)) return 'open';
  const { db, now } = context;
  const { workspaceId, id } = conversation;
  return db.transaction(async (tx) => {
    // Transactions that only refer to the workspace do not wait for this lock.
    await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId)).for('no key update');
    const { included, extra, used } = await quotaOf(tx, workspaceId, now());
    if (used >= included + extra) return 'refused';
    const countedAt = new Date(now());
    await tx.update(conversations).set({ countedAt }).where(eq(conversations.id, id));
    await countUsage(tx, conversation, countedAt, { conversations: 1 });
    return 'reserved';
  });
};

const includedByPlan = sql.join(
  Object.entries(plans).map(([plan, { conversations: included }]) => sql.raw(`when '${plan}' then ${included}`)),
  sql` `,
);

/**
 * Counts the conversation when the next threshold is far away. Returns false when it is not. If every reservation locks the
 * workspace, 1,000 streams that start at once wait twice as long for their first text: 8.8 s in place of 4.4 s at the 95th
 * percentile. `service-load.ts` measures it.
 */
const reserveWithoutLock = async ({ db, now }: DatabaseContext, conversation: Conversation): Promise<boolean> => {
  const at = new Date(now());
  const values = {
    id: conversation.id,
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
    from quota where conversations.id = ${sql.placeholder('id')} and used + ${sql.raw(`${lockDistance}`)} < total * ${sql.raw(`${firstThreshold / 100}`)}
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

export const releaseQuota = async ({ db }: Pick<DatabaseContext, 'db'>, conversation: Conversation): Promise<void> => {
  if (conversation.countedAt) return;
  await db.transaction(async (tx) => {
    const isConversation = eq(conversations.id, conversation.id);
    const [reserved] = await tx
      .select({ at: conversations.countedAt })
      .from(conversations)
      .where(isConversation)
      .for('update');
    if (!reserved?.at) return;
    await tx.update(conversations).set({ countedAt: null }).where(isConversation);
    // The month may have ended since the conversation was counted.
    await countUsage(tx, conversation, reserved.at, { conversations: -1 });
  });
};

/** Emits `usage.threshold` at 80 % and at 100 % of the quota, each once a month. */
export const emitThresholdEvents = async ({ db, now }: DatabaseContext, workspaceId: string): Promise<void> => {
  const { included, extra, used } = await quotaOf(db, workspaceId, now());
  const reached = thresholds.filter((percent) => used * 100 >= (included + extra) * percent);
  if (reached.length === 0) return;
  await db.transaction(async (tx) => {
    const month = monthOf(now());
    for (const percent of reached) {
      const first = await tx
        .insert(usageAlerts)
        .values({ workspaceId, month, percent })
        .onConflictDoNothing()
        .returning();
      if (first.length === 0) continue;
      const data = await usageOf(tx, workspaceId, now());
      const detail = { percent, used, total: included + extra };
      await notifyOwners(tx, { workspaceId, kind: 'quota_reached', detail, at: new Date(now()) });
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
  const month = monthOf(at);
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  const { included, extra, used } = await quotaOf(db, workspaceId, at);
  const counts = await usageByAgent(db, workspaceId, month);
  const all = await db
    .select({ id: agents.id, name: agents.name })
    .from(agents)
    .where(eq(agents.workspaceId, workspaceId))
    .orderBy(asc(agents.createdAt), asc(agents.id));
  return {
    month,
    plan: workspace!.plan,
    conversations_per_agent: included,
    pool: { included, top_ups: extra, used, remaining: Math.max(0, included + extra - used) },
    agents: all
      .filter(({ id }) => agentIds === null || agentIds.includes(id))
      .map(({ id, name }) => ({ agent_id: id, name, conversations: 0, messages: 0, ...counts.get(id) })),
  };
};
