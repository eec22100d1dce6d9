/** Where records are kept, and what happens when that place fails: memory, within a second, said once. */
import { withTimeout, type Clock } from '../../api/clock.ts';

export interface ConversationStorage {
  load(key: string): Promise<unknown>;
  /** Reads, changes and writes in one transaction; `undefined` deletes. Settles when the write is on disk. */
  update(key: string, change: (value: unknown) => unknown): Promise<void>;
  /** Deletes every record for which `isStale` says so. */
  prune(isStale: (value: unknown) => boolean): Promise<void>;
}

export class MemoryStorage implements ConversationStorage {
  readonly #records = new Map<string, unknown>();

  async load(key: string): Promise<unknown> {
    return this.#records.get(key);
  }

  async update(key: string, change: (value: unknown) => unknown): Promise<void> {
    const value = change(this.#records.get(key));
    if (value === undefined) this.#records.delete(key);
    else this.#records.set(key, value);
  }

  async prune(isStale: (value: unknown) => boolean): Promise<void> {
    for (const [key, value] of this.#records) if (isStale(value)) this.#records.delete(key);
  }
}

/** How long the first operation may take before memory stands in, in milliseconds: nobody waits longer for a chat. */
const patience = 900;
/** The same for a storage that has answered before: a busy machine is no broken one. */
const longPatience = 5_000;

const timedOut = Symbol('timed out');

/** A storage that never fails: it is tried twice, then given up for the life of the page. */
export class GuardedStorage implements ConversationStorage {
  readonly #memory = new MemoryStorage();
  readonly #clock: Clock;
  readonly #onUnavailable: (error: unknown) => void;
  #durable: ConversationStorage | null;
  #retried = false;
  #hasAnswered = false;

  /** @param durable Null to use memory alone, on purpose. */
  constructor(durable: ConversationStorage | null, clock: Clock, onUnavailable: (error: unknown) => void) {
    this.#durable = durable;
    this.#clock = clock;
    this.#onUnavailable = onUnavailable;
  }

  load(key: string): Promise<unknown> {
    return this.#run((storage) => storage.load(key));
  }

  update(key: string, change: (value: unknown) => unknown): Promise<void> {
    // Memory keeps the same record, so that nothing is lost when the durable one fails half-way.
    return this.#run(async (storage) => {
      let next: unknown;
      await storage.update(key, (value) => (next = change(value)));
      if (storage !== this.#memory) await this.#memory.update(key, () => next);
    });
  }

  prune(isStale: (value: unknown) => boolean): Promise<void> {
    return this.#run((storage) => storage.prune(isStale));
  }

  async #run<Value>(operate: (storage: ConversationStorage) => Promise<Value>): Promise<Value> {
    while (this.#durable) {
      try {
        const delay = this.#hasAnswered ? longPatience : patience;
        const result = await withTimeout(this.#clock, delay, operate(this.#durable), timedOut);
        if (result !== timedOut) {
          this.#hasAnswered = true;
          return result;
        }
        this.#giveUp(new Error('The storage did not answer.'));
      } catch (error) {
        // A connection that was closed under us opens again, once.
        if (this.#retried) this.#giveUp(error);
        this.#retried = true;
      }
    }
    return operate(this.#memory);
  }

  #giveUp(error: unknown): void {
    if (!this.#durable) return;
    this.#durable = null;
    this.#onUnavailable(error);
  }
}
