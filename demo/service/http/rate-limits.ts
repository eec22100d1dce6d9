/** Counts calls a minute, in windows that start with a caller's first call. */

interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends; at least 1. */
  retryAfter: number;
}

export interface RateLimits {
  take(bucket: string, limit: number): Allowance;
}

const window = 60_000;

/** For one process; several processes behind a balancer would share their counts in the database. */
export function memoryRateLimits(now: () => number): RateLimits {
  const counts = new Map<string, { used: number; endsAt: number }>();
  let nextSweep = 0;

  function sweep(at: number): void {
    if (at < nextSweep) return;
    nextSweep = at + window;
    for (const [bucket, count] of counts) if (count.endsAt <= at) counts.delete(bucket);
  }

  return {
    take(bucket, limit) {
      const at = now();
      sweep(at);
      let count = counts.get(bucket);
      if (!count || count.endsAt <= at) {
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
}
