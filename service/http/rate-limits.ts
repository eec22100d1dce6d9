/** Counts calls in windows of a minute. A window starts with the first call. */
import { sql, type SQL } from 'drizzle-orm';
import { type Db, queryRows } from '../db/database.ts';

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
      const begins = sql`${new Date(at).toISOString()}::timestamptz`;
      const ends = sql`${new Date(at + window).toISOString()}::timestamptz`;
      if (at >= nextSweep) {
        nextSweep = at + window;
        await db.execute(sql`delete from rate_counts where bucket in
          (select bucket from rate_counts where ends_at <= ${begins} for update skip locked)`);
      }
      const counts = await queryRows<{ used: number; ends: number }>(db, countCall(limits, begins, ends));
      return counts.map(({ used, ends: endsAt }, position) => {
        const { limit } = limits[position]!;
        const remaining = Math.max(0, limit - used);
        return { allowed: used <= limit, limit, remaining, retryAfter: secondsUntil(endsAt, at) };
      });
    },
  };
};

/** Counts a call in all buckets with one statement. A bucket is counted if the one before allows the call. */
const countCall = (limits: Limit[], begins: SQL, ends: SQL): SQL => {
  const name = (position: number) => sql.raw(`bucket_${position}`);
  const parts = limits.map(({ bucket, limit }, position) => {
    const from =
      position === 0 ? sql`` : sql`from ${name(position - 1)} where used <= ${limits[position - 1]!.limit}::int`;
    return sql`${name(position)} as (
      insert into rate_counts as c (bucket, used, ends_at) select ${bucket}, 1, ${ends} ${from}
      on conflict (bucket) do update set
        used = case when c.ends_at <= ${begins} or c.ends_at > ${ends} then 1 else least(c.used, ${limit}::int) + 1 end,
        ends_at = case when c.ends_at <= ${begins} or c.ends_at > ${ends} then ${ends} else c.ends_at end
      returning used, (extract(epoch from ends_at) * 1000)::float8 as ends
    )`;
  });
  const rows = limits.map((_, position) => sql`select ${position}::int as position, used, ends from ${name(position)}`);
  return sql`with ${sql.join(parts, sql`, `)} ${sql.join(rows, sql` union all `)} order by position`;
};
