/** Limits how often something is done for a key within a time. */

/** The keys that are remembered. */
const maxKeys = 10_000;

export class RateLimit {
  readonly #max: number;
  readonly #window: number;
  readonly #now: () => number;
  /** The times within the window, by key. The key that was used last is the last one. */
  readonly #times = new Map<string, number[]>();

  /** @param window In milliseconds. */
  constructor(max: number, window: number, now: () => number) {
    this.#max = max;
    this.#window = window;
    this.#now = now;
  }

  /** Returns 0, or the seconds until the next one is allowed. */
  wait(key: string): number {
    const times = this.#recent(key);
    return times.length < this.#max ? 0 : Math.ceil((times[0]! + this.#window - this.#now()) / 1000);
  }

  count(key: string): void {
    const times = [...this.#recent(key), this.#now()];
    this.#times.delete(key);
    this.#times.set(key, times);
    const [oldest] = this.#times.keys();
    if (this.#times.size > maxKeys) this.#times.delete(oldest!);
  }

  /** Times in the future are left out: the clock was set back, and the limit would last until it has caught up. */
  #recent(key: string): number[] {
    const now = this.#now();
    return (this.#times.get(key) ?? []).filter((at) => at <= now && now - at < this.#window);
  }
}
