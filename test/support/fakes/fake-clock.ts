/** A clock that advances only when a test moves it. */
import type { Clock } from '../../../src/api/clock.ts';

/** Browsers have no `setImmediate`. */
const nextTask: (callback: () => void) => unknown = globalThis.setImmediate ?? setTimeout;

/** Runs everything that waits only for promises and streams. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => nextTask(resolve));
};

export class FakeClock implements Clock {
  #now: number;
  /** By how much the device's clock was set forward, in milliseconds. */
  #shift = 0;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = Date.parse('2026-10-01T09:00:00Z')) {
    this.#now = now;
  }

  now(): number {
    return this.#now + this.#shift;
  }

  monotonic(): number {
    return this.#now;
  }

  after(delay: number, callback: () => void): () => void {
    const timer = { at: this.#now + delay, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Sets the device's clock forward, or back by a negative number of milliseconds. No time passes, and no timer runs. */
  shift(milliseconds: number): void {
    this.#shift += milliseconds;
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances the time, and runs the timers that become due in order. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settle();
    }
    this.#now = end;
    await settle();
  }
}
