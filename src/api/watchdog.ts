/** Aborts a call when no data arrives within the timeouts. */
import type { Clock } from './clock.ts';

/** All in milliseconds. */
export interface Timeouts {
  /** Until the headers of the response arrive. */
  headers: number;
  /** Between two chunks of data. Keep-alive comments count. */
  idle: number;
  /** For the whole response. */
  total: number;
}

export const defaultTimeouts: Timeouts = { headers: 60_000, idle: 60_000, total: 600_000 };

export class Watchdog {
  readonly #clock: Clock;
  readonly #timeouts: Timeouts;
  readonly #controller = new AbortController();
  #cancelIdle = () => {};
  readonly #cancelTotal: () => void;
  #suspensions = 0;
  #limit: number;

  constructor(clock: Clock, timeouts: Timeouts) {
    this.#clock = clock;
    this.#timeouts = timeouts;
    this.#limit = timeouts.headers;
    this.#cancelTotal = clock.after(timeouts.total, this.#onTimeout);
    this.#restart();
  }

  /** Aborts when a timeout has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the idle timeout: data has arrived. */
  reset(): void {
    this.#limit = this.#timeouts.idle;
    this.#restart();
  }

  /** Suspends the idle timeout while a client tool runs. Returns a function that resumes it. */
  suspend(): () => void {
    this.#suspensions++;
    this.#cancelIdle();
    let isSuspended = true;
    return () => {
      if (!isSuspended) return;
      isSuspended = false;
      this.#suspensions--;
      this.#restart();
    };
  }

  stop(): void {
    this.#cancelIdle();
    this.#cancelTotal();
    // Resuming after the end must not restart the timer.
    this.#suspensions = Infinity;
  }

  #restart(): void {
    this.#cancelIdle();
    if (this.#suspensions === 0) this.#cancelIdle = this.#clock.after(this.#limit, this.#onTimeout);
  }

  readonly #onTimeout = (): void => {
    this.stop();
    this.#controller.abort();
  };
}
