/** Counts the conversations and messages of each month when they are stored, so that `/usage` reads a few rows. */
import { and, eq, sql, type SQL } from 'drizzle-orm';
import { prepared, type Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { monthlyUsage } from '../db/schema.ts';

const { placeholder } = sql;

/** Returns the first day of the month in UTC: `2026-10-01`. */
export const monthOf = (at: number): string => {
  const date = new Date(at);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)).toISOString().slice(0, 10);
};

type Counted = Pick<Conversation, 'workspaceId' | 'agentId'>;

interface Change {
  conversations?: number;
  messages?: number;
}

/** Returns the values for `usageCount`. */
export const usageValues = (
  { workspaceId, agentId }: Counted,
  at: Date,
  { conversations = 0, messages = 0 }: Change,
) => ({
  workspaceId,
  agentId,
  month: monthOf(at.getTime()),
  conversations,
  messages,
});

/** Returns a part of a `with` statement that counts for each row of `from`. */
export const usageCount = (from: SQL): SQL => {
  return sql`insert into monthly_usage as counts (workspace_id, month, agent_id, conversations, messages)
    select ${placeholder('workspaceId')}, ${placeholder('month')}, ${placeholder('agentId')}, ${placeholder('conversations')}::int, ${placeholder('messages')}::int
    from ${from}
    on conflict (workspace_id, month, agent_id) do update set
      conversations = counts.conversations + excluded.conversations, messages = counts.messages + excluded.messages`;
};

const always = sql`(select) as always`;
const countStatement = prepared('usage.count', (db) =>
  db
    .with(db.$with('counted', {}).as(usageCount(always)))
    .select({ one: sql`1` })
    .from(always),
);

/**
 * Adds to the counts of the month of `at`. Call it at the end of the transaction that stores what is counted: it locks a
 * row that other conversations update too.
 */
export const countUsage = async (tx: Db, counted: Counted, at: Date, change: Change): Promise<void> => {
  await countStatement(tx, usageValues(counted, at, change));
};

/** Returns the conversations and messages of a month by agent. */
export const usageByAgent = async (
  db: Db,
  workspaceId: string,
  month: string,
): Promise<Map<string, Required<Change>>> => {
  const { agentId, conversations, messages } = monthlyUsage;
  const rows = await db
    .select({ agentId, conversations, messages })
    .from(monthlyUsage)
    .where(and(eq(monthlyUsage.workspaceId, workspaceId), eq(monthlyUsage.month, month)));
  return new Map(rows.map(({ agentId, ...counts }) => [agentId, counts]));
};
