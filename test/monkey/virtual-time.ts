/** The time of a run. It passes only when a step says so, for the server and for all tabs alike. */

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class VirtualTime {
  now: number;
  #timers: Timer[] = [];

  constructor(start: number) {
    this.now = start;
  }

  after(delay: number, run: () => void): void {
    this.#timers.push({ at: this.now + delay, run });
  }

  /** When the next timer is due, or infinity. */
  get nextAt(): number {
    return Math.min(Infinity, ...this.#timers.map(({ at }) => at));
  }

  /** Sets the time, and runs the timers that are due by then. */
  moveTo(now: number): void {
    this.now = now;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= now).toSorted((one, other) => one.at - other.at)[0];
      if (!due) return;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      due.run();
    }
  }

  clear(): void {
    this.#timers = [];
  }
}
