/** Counts the conversations and messages of each month when they are stored, so that `/usage` reads a few rows. */
import { randomInt } from 'node:crypto';
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { monthlyUsage } from '../db/schema.ts';

/** Rows of each agent and month. Transactions that count at the same time mostly update different ones. See `quota.ts` for a figure. */
const shards = 8;

/** Returns the first day of the month in UTC: `2026-10-01`. */
export const monthOf = (at: number): string => {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

interface Change {
  conversations?: number;
  messages?: number;
}

/**
 * Adds to the counts of the month of `at`. Call it at the end of the transaction that stores what is counted: it locks a
 * row that other conversations update too.
 */
export const countUsage = async (tx: Db, conversation: Conversation, at: Date, change: Change): Promise<void> => {
  await tx.execute(usageCount(conversation, at, change, sql`(select) as always`));
};

/** Returns a statement, or a part of one, that counts for each row of `from`. */
export const usageCount = (
  { workspaceId, agentId }: Pick<Conversation, 'workspaceId' | 'agentId'>,
  at: Date,
  { conversations = 0, messages = 0 }: Change,
  from: SQL,
): SQL => sql`insert into monthly_usage as counts (workspace_id, month, agent_id, shard, conversations, messages)
    select ${workspaceId}, ${monthOf(at.getTime())}, ${agentId}, ${randomInt(shards)}::int, ${conversations}::int, ${messages}::int
    from ${from}
    on conflict (workspace_id, month, agent_id, shard) do update set
      conversations = counts.conversations + excluded.conversations, messages = counts.messages + excluded.messages`;

/** Returns the conversations and messages of a month by agent. */
export const usageByAgent = async (
  db: Db,
  workspaceId: string,
  month: string,
): Promise<Map<string, Required<Change>>> => {
  const rows = await db
    .select({
      agentId: monthlyUsage.agentId,
      conversations: sql<number>`sum(${monthlyUsage.conversations})::int`,
      messages: sql<number>`sum(${monthlyUsage.messages})::int`,
    })
    .from(monthlyUsage)
    .where(and(eq(monthlyUsage.workspaceId, workspaceId), eq(monthlyUsage.month, month)))
    .groupBy(monthlyUsage.agentId);
  return new Map(rows.map(({ agentId, ...counts }) => [agentId, counts]));
};
