/** Notices that a call has gone quiet: no bytes for too long, or no end at all. */
import type { Clock } from './clock.ts';

/** All in milliseconds. */
export interface Timeouts {
  /** For the answer's headers. */
  headers: number;
  /** Between two arrivals of bytes, keep-alive comments included. */
  bytes: number;
  /** For the whole answer, however lively. */
  whole: number;
}

export const defaultTimeouts: Timeouts = { headers: 60_000, bytes: 60_000, whole: 600_000 };

export class Watchdog {
  readonly #clock: Clock;
  readonly #patience: Timeouts;
  readonly #controller = new AbortController();
  #cancelQuiet = () => {};
  readonly #cancelWhole: () => void;
  #holds = 0;
  #limit: number;

  constructor(clock: Clock, patience: Timeouts) {
    this.#clock = clock;
    this.#patience = patience;
    this.#limit = patience.headers;
    this.#cancelWhole = clock.after(patience.whole, this.#bark);
    this.#arm();
  }

  /** Aborts when the patience is used up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something arrived. */
  feed(): void {
    this.#limit = this.#patience.bytes;
    this.#arm();
  }

  /** Suspends the watch over missing bytes until the answer is called: a client tool is at work. */
  hold(): () => void {
    this.#holds++;
    this.#cancelQuiet();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.#arm();
    };
  }

  stop(): void {
    this.#cancelQuiet();
    this.#cancelWhole();
    // A hold that is released later must not arm a watch that has ended.
    this.#holds = Infinity;
  }

  #arm(): void {
    this.#cancelQuiet();
    if (this.#holds === 0) this.#cancelQuiet = this.#clock.after(this.#limit, this.#bark);
  }

  readonly #bark = (): void => {
    this.stop();
    this.#controller.abort();
  };
}
