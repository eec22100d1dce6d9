/** Aborts a call when no data arrives within the timeouts. */
import type { Clock } from './clock.ts';

/** All in milliseconds. */
export interface Timeouts {
  /** Until the headers of the response arrive. Not longer than `idle`. */
  headers: number;
  /** Between two chunks of data. Keep-alive comments count. */
  idle: number;
  /** For the whole response. */
  total: number;
}

export const defaultTimeouts: Timeouts = { headers: 60_000, idle: 60_000, total: 600_000 };

export class Watchdog {
  readonly #clock: Clock;
  readonly #idle: number;
  readonly #controller = new AbortController();
  #cancel = () => {};
  #suspensions = 0;
  /** When it is too late for the next data, and for the end. Both on the monotonic clock. */
  #deadline: number;
  readonly #end: number;

  constructor(clock: Clock, { headers, idle, total }: Timeouts) {
    this.#clock = clock;
    this.#idle = idle;
    this.#deadline = clock.monotonic() + headers;
    this.#end = clock.monotonic() + total;
    this.#wait();
  }

  /** Aborts when a timeout has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the idle timeout: data has arrived. Only moves the deadline, because a timer for each chunk is expensive. */
  reset(): void {
    this.#deadline = this.#clock.monotonic() + this.#idle;
  }

  /** Suspends the idle timeout while a client tool runs. Returns a function that resumes it, to be called once. */
  suspend(): () => void {
    this.#suspensions++;
    return () => {
      this.#suspensions--;
      this.reset();
    };
  }

  stop(): void {
    this.#cancel();
  }

  /** Waits for the deadline, which has moved by then if data has arrived. */
  readonly #wait = (): void => {
    const now = this.#clock.monotonic();
    const left = Math.min(this.#suspensions > 0 ? this.#idle : this.#deadline - now, this.#end - now);
    if (left > 0) this.#cancel = this.#clock.after(left, this.#wait);
    else this.#controller.abort();
  };
}
