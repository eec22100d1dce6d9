/** The clock of the browser. In a file of its own, because the launcher and its teaser need nothing else of `clock.ts`. */
import type { Clock } from './clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};
