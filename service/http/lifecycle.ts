/** How the service stops: it accepts no more turns, waits for those that run, and ends the rest at a deadline. */
import { setMaxListeners } from 'node:events';
import { ApiError } from '../core/errors.ts';

export interface Lifecycle {
  /** Aborted when the service accepts no more turns. */
  draining: AbortSignal;
  /** Aborted when the running turns have to end. */
  closing: AbortSignal;
  /** Turns that may still write to the database. The service waits for them before it closes the database. */
  pendingTurns: Set<Promise<unknown>>;
  /** Resolves when no turn runs any more, at the latest soon after the deadline. */
  drain(deadlineMs: number): Promise<void>;
}

/** Seconds after which a rejected turn can be repeated: by then a load balancer sends it to another process. */
const retryAfter = 2;

export const createLifecycle = (): Lifecycle => {
  const draining = new AbortController();
  const closing = new AbortController();
  // Each running turn listens for the signal, and their number has no limit.
  setMaxListeners(0, closing.signal);
  const pendingTurns = new Set<Promise<unknown>>();

  return {
    draining: draining.signal,
    closing: closing.signal,
    pendingTurns,
    async drain(deadlineMs) {
      draining.abort();
      const timer = setTimeout(() => closing.abort(), deadlineMs);
      // A turn that was accepted before may still be added.
      while (pendingTurns.size > 0) await Promise.allSettled(pendingTurns);
      clearTimeout(timer);
      closing.abort();
    },
  };
};

/** @throws {ApiError} `service_unavailable` while the service stops. */
export const requireRunning = ({ draining }: Pick<Lifecycle, 'draining'>): void => {
  if (draining.aborted) throw new ApiError('service_unavailable', { retryAfter });
};
