/**
 * Returns the milliseconds to wait before retry number `count`: doubling, with full jitter above a floor that spares the
 * service.
 */
export const backoff = (count: number, random: () => number, base = 1000, cap = 30_000): number =>
  Math.round(base / 2 + random() * Math.min(cap, base * 2 ** count));
