/** Deletes rows that are older than their table's retention period, in small batches, and replaced secrets. `docs/service/retention.md` lists the periods. */
import { lte, sql, type SQL } from 'drizzle-orm';
import { idempotencyWindowMs } from '../../contract/limits.ts';
import { errorText, type Log } from '../core/log.ts';
import { queryRows, type Db, type DatabaseContext } from './database.ts';
import { identitySecrets } from './schema.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Rule {
  table: string;
  ageMs: number;
  /** The condition for rows to delete. `before` is the time before which a row is too old. */
  isExpired(before: SQL): SQL;
}

export const eventRetentionDays = 30;

const rules: Rule[] = [
  {
    // The deliveries of an event are deleted with it.
    table: 'events',
    ageMs: eventRetentionDays * day,
    isExpired: (before) => sql`created_at < ${before} and not exists
      (select 1 from deliveries where deliveries.event_id = events.id and deliveries.status = 'pending')`,
  },
  // An open call cannot expire that late.
  { table: 'tool_calls', ageMs: 30 * day, isExpired: (before) => sql`expires_at < ${before}` },
  {
    table: 'action_calls',
    ageMs: 90 * day,
    isExpired: (before) => sql`at < ${before} and outcome not in ('waiting', 'approved')`,
  },
  { table: 'notices', ageMs: 90 * day, isExpired: (before) => sql`created_at < ${before}` },
  { table: 'audit_entries', ageMs: 365 * day, isExpired: (before) => sql`created_at < ${before}` },
  { table: 'api_keys', ageMs: 90 * day, isExpired: (before) => sql`revoked_at < ${before}` },
  // The saved responses of calls, and with them the tokens that they contain.
  { table: 'idempotency_keys', ageMs: idempotencyWindowMs, isExpired: (before) => sql`created_at < ${before}` },
  { table: 'rate_counts', ageMs: hour, isExpired: (before) => sql`ends_at < ${before}` },
];

/** Rows that one statement deletes. With the deliveries of an event, they can be ten times as many. */
const batchSize = 200;
/** Batches of one table in a run. The rest waits for the next run, so that a run does not delay a shutdown for long. */
const maxBatches = 20;
export const pruneIntervalMs = hour;
const intervalWithRestMs = 10_000;

/** Returns whether every expired row was deleted. */
export const prune = async ({ db, now }: DatabaseContext): Promise<boolean> => {
  let isComplete = true;
  await db
    .update(identitySecrets)
    .set({ previousEncrypted: null, previousUntil: null })
    .where(lte(identitySecrets.previousUntil, new Date(now())));
  for (const rule of rules) {
    if (!(await pruneTable(db, rule, now()))) isComplete = false;
  }
  return isComplete;
};

const pruneTable = async (db: Db, { table, ageMs, isExpired }: Rule, now: number): Promise<boolean> => {
  const before = sql`${new Date(now - ageMs).toISOString()}::timestamptz`;
  const name = sql.identifier(table);
  for (let batch = 0; batch < maxBatches; batch++) {
    const deleted = await queryRows<object>(
      db,
      sql`delete from ${name} where ctid = any(array(
            select ctid from ${name} where ${isExpired(before)} limit ${batchSize} for update skip locked
          )) returning 1`,
    );
    if (deleted.length < batchSize) return true;
  }
  return false;
};

/**
 * Returns the handler of a recurring job, which runs every step. A step returns whether it is complete. An error only delays the
 * next run.
 */
export const createPruneHandler = (
  { log, now }: { log: Log; now: () => number },
  steps: (() => Promise<boolean>)[],
): (() => Promise<Date>) => {
  return async () => {
    let isComplete = true;
    for (const step of steps) {
      const isDone = await step().catch((error: unknown) => {
        log({ level: 'error', event: 'job_failure', kind: 'prune', error: errorText(error) });
        return true;
      });
      if (!isDone) isComplete = false;
    }
    return new Date(now() + (isComplete ? pruneIntervalMs : intervalWithRestMs));
  };
};
