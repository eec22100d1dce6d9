/** Counts calls in windows of a minute. A window starts with the first call. */
import { gt, inArray, lte, or, sql } from 'drizzle-orm';
import { clockDifferenceMs } from '../db/clock.ts';
import { prepared, type Db } from '../db/database.ts';
import { rateCounts } from '../db/schema.ts';

export interface Limit {
  bucket: string;
  limit: number;
}

interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  retryAfter: number;
}

export interface RateLimits {
  /** Counts a call in each bucket, until one of them rejects it. Returns the allowances until then. */
  take(limits: Limit[]): Promise<Allowance[]>;
}

const window = 60_000;

/** Rate limits of a single process. */
export const createMemoryRateLimits = (now: () => number): RateLimits => {
  const counts = new Map<string, { used: number; endsAt: number }>();
  let nextSweep = 0;

  const sweep = (at: number): void => {
    if (at < nextSweep) return;
    nextSweep = at + window;
    for (const [bucket, count] of counts) if (count.endsAt <= at) counts.delete(bucket);
  };

  const takeOne = (at: number, { bucket, limit }: Limit): Allowance => {
    let count = counts.get(bucket);
    // A window that ends later than a minute is from before the time was moved back.
    if (!count || count.endsAt <= at || count.endsAt > at + window) {
      count = { used: 0, endsAt: at + window };
      counts.set(bucket, count);
    }
    const allowed = count.used < limit;
    if (allowed) count.used++;
    return { allowed, limit, remaining: limit - count.used, retryAfter: secondsUntil(count.endsAt, at) };
  };

  return {
    async take(limits) {
      const at = now();
      sweep(at);
      const allowances: Allowance[] = [];
      for (const limit of limits) {
        const allowance = takeOne(at, limit);
        allowances.push(allowance);
        if (!allowance.allowed) break;
      }
      return allowances;
    },
  };
};

const secondsUntil = (endsAt: number, at: number): number => Math.max(1, Math.ceil((endsAt - at) / 1000));

/** Rate limits that several processes share in the database. The table is unlogged: a crash may reset the counters. */
export const createSharedRateLimits = (db: Db, now: () => number): RateLimits => {
  let nextSweep = 0;

  return {
    async take(limits) {
      const at = now();
      if (at >= nextSweep) {
        nextSweep = at + window;
        await deleteEnded(db, new Date(at));
      }
      const allowances: Allowance[] = [];
      for (const { bucket, limit } of limits) {
        const { used, endsAt } = await countCall(db, bucket, limit, at);
        const remaining = Math.max(0, limit - used);
        const allowed = used <= limit;
        allowances.push({ allowed, limit, remaining, retryAfter: secondsUntil(endsAt.getTime(), at) });
        if (!allowed) break;
      }
      return allowances;
    },
  };
};

/** Processes that sweep at the same time delete different rows. */
const deleteEnded = async (db: Db, at: Date): Promise<void> => {
  const { bucket, endsAt } = rateCounts;
  const ended = db.select({ bucket }).from(rateCounts).where(lte(endsAt, at)).for('update', { skipLocked: true });
  await db.delete(rateCounts).where(inArray(bucket, ended));
};

/** Counts a call, at most one above the limit. */
const countQuery = prepared('rate.count', (db) => {
  const { used, endsAt } = rateCounts;
  // A window that ends much later than a minute is from before the time was moved back. One that ends a little later was
  // started by another process, whose clock is ahead, or by a call at the same time.
  const isLater = gt(endsAt, sql`excluded.ends_at + ${clockDifferenceMs} * interval '1 millisecond'`);
  const isOver = or(lte(endsAt, sql.placeholder('now')), isLater);
  return db
    .insert(rateCounts)
    .values({ bucket: sql.placeholder('bucket'), used: 1, endsAt: sql.placeholder('ends') })
    .onConflictDoUpdate({
      target: rateCounts.bucket,
      set: {
        used: sql`case when ${isOver} then 1 else least(${used}, ${sql.placeholder('limit')}::int) + 1 end`,
        endsAt: sql`case when ${isOver} then excluded.ends_at else ${endsAt} end`,
      },
    })
    .returning({ used, endsAt });
});

const countCall = async (db: Db, bucket: string, limit: number, at: number) => {
  const [count] = await countQuery(db, { bucket, limit, now: new Date(at), ends: new Date(at + window) });
  return count!;
};
