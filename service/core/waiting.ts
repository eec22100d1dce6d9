/** Waits that end early, and work that may not take longer. */
import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after the given time, or at once when the signal aborts. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  if (milliseconds > 0) await wait(milliseconds, undefined, { signal }).catch(() => {});
};

/** @throws {Error} With the message when the work takes longer. */
export const withTimeout = async <Value>(
  milliseconds: number,
  message: string,
  work: PromiseLike<Value>,
): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

/** Returns a signal that aborts after `milliseconds`, or with another signal. */
export const within = (milliseconds: number, signal: AbortSignal): AbortSignal => {
  const timeout = AbortSignal.timeout(milliseconds);
  // Node.js 20 forgets a timeout without a listener, also as a part of another signal. What waits for it would never end.
  timeout.addEventListener('abort', () => {});
  return AbortSignal.any([timeout, signal]);
};
