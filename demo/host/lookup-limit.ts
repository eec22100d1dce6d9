/**
 * Limits the calls with the secret key that anybody can cause: those for a conversation that no page has followed yet, up to three
 * each. Each address has a limit, and all addresses together leave a part of the key's 60 calls a minute to the others.
 */

const perAddress = 10;
const perMinute = 18;
const minute = 60_000;

export class LookupLimit {
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #total = 0;
  #endsAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the seconds to wait, or 0 when the lookup is allowed. */
  take(address: string): number {
    const at = this.#now();
    // The second condition holds when the clock was set back: the limit would last until it has caught up.
    if (at >= this.#endsAt || at < this.#endsAt - minute) {
      this.#counts = new Map();
      this.#total = 0;
      this.#endsAt = at + minute;
    }
    const used = this.#counts.get(address) ?? 0;
    if (used >= perAddress || this.#total >= perMinute) return Math.ceil((this.#endsAt - at) / 1000);
    this.#counts.set(address, used + 1);
    this.#total++;
    return 0;
  }
}
