/** Counts calls in windows of a minute. A window starts with the first call. */
import { sql } from 'drizzle-orm';
import { type Db, queryRows } from '../db/database.ts';

interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  retryAfter: number;
}

export interface RateLimits {
  take(bucket: string, limit: number): Promise<Allowance>;
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

  return {
    async take(bucket, limit) {
      const at = now();
      sweep(at);
      let count = counts.get(bucket);
      // A window that ends later than a minute is from before the time was moved back.
      if (!count || count.endsAt <= at || count.endsAt > at + window) {
        count = { used: 0, endsAt: at + window };
        counts.set(bucket, count);
      }
      const allowed = count.used < limit;
      if (allowed) count.used++;
      return {
        allowed,
        limit,
        remaining: limit - count.used,
        retryAfter: Math.max(1, Math.ceil((count.endsAt - at) / 1000)),
      };
    },
  };
};

/** Rate limits that several processes share in the database. The table is unlogged: a crash may reset the counters. */
export const createSharedRateLimits = (db: Db, now: () => number): RateLimits => {
  let nextSweep = 0;

  return {
    async take(bucket, limit) {
      const at = now();
      const begins = sql`${new Date(at).toISOString()}::timestamptz`;
      const ends = sql`${new Date(at + window).toISOString()}::timestamptz`;
      if (at >= nextSweep) {
        nextSweep = at + window;
        await db.execute(sql`delete from rate_counts where bucket in
          (select bucket from rate_counts where ends_at <= ${begins} for update skip locked)`);
      }
      const [count] = await queryRows<{ used: number; ends: number }>(
        db,
        sql`insert into rate_counts as c (bucket, used, ends_at) values (${bucket}, 1, ${ends})
            on conflict (bucket) do update set
              used = case when c.ends_at <= ${begins} or c.ends_at > ${ends} then 1 else least(c.used, ${limit}::int) + 1 end,
              ends_at = case when c.ends_at <= ${begins} or c.ends_at > ${ends} then ${ends} else c.ends_at end
            returning used, (extract(epoch from ends_at) * 1000)::float8 as ends`,
      );
      const { used, ends: endsAt } = count!;
      return {
        allowed: used <= limit,
        limit,
        remaining: Math.max(0, limit - used),
        retryAfter: Math.max(1, Math.ceil((endsAt - at) / 1000)),
      };
    },
  };
};
