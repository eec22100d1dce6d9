/** Computes how long to wait before a retry. */

/**
 * Returns the milliseconds to wait before retry number `count`: doubling, with full jitter above a floor that spares the
 * service.
 */
export const backoff = (count: number, random: () => number, base = 1000, cap = 30_000): number =>
  Math.round(base / 2 + random() * Math.min(cap, base * 2 ** count));

/** Parses a `Retry-After` header in either of its forms into seconds. Returns null when it cannot be parsed. */
export const parseRetryAfter = (value: string | null, now: number): number | null => {
  if (!value) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  // Date.parse accepts nearly any number, negative ones included, so only values with letters are dates.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
};
