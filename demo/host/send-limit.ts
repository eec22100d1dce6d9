/** Limits how often something is sent for a key in a day. */

const day = 24 * 60 * 60 * 1000;
/** The keys that are remembered. */
const maxKeys = 10_000;

export class SendLimit {
  readonly #max: number;
  readonly #now: () => number;
  /** The times of the last day, by key. */
  readonly #sent = new Map<string, number[]>();

  constructor(max: number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  /** Counts one, and returns 0, or the seconds until the next one is allowed. */
  take(key: string): number {
    const now = this.#now();
    const sent = (this.#sent.get(key) ?? []).filter((at) => now - at < day);
    if (sent.length >= this.#max) return Math.ceil((sent[0]! + day - now) / 1000);
    this.#sent.delete(key);
    this.#sent.set(key, [...sent, now]);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > maxKeys) this.#sent.delete(oldest!);
    return 0;
  }
}
