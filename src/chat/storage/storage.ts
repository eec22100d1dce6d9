/** The storage interface, its in-memory version, and the guard that falls back to memory when the storage fails. */
import { withTimeout, type Clock } from '../../api/clock.ts';

export interface ConversationStorage {
  load(key: string): Promise<unknown>;
  /** Reads, changes and writes in one transaction. `undefined` deletes. Settles when the write is durable. */
  update(key: string, change: (value: unknown) => unknown): Promise<void>;
  /** Returns the keys of all records. */
  keys(): Promise<string[]>;
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

  async keys(): Promise<string[]> {
    return [...this.#records.keys()];
  }
}

/** The timeout of the first operation, in milliseconds. The chat waits no longer before it falls back to memory. */
const firstTimeout = 900;
/** The timeout after an operation has succeeded: the machine may be busy. */
const laterTimeout = 5_000;

const timedOut = Symbol('timed out');

/** A storage that never fails. It retries once, then uses memory until the page is closed. */
export class GuardedStorage implements ConversationStorage {
  readonly #memory = new MemoryStorage();
  readonly #clock: Clock;
  readonly #onUnavailable: (error: unknown) => void;
  /** The browser's storage, also when it is not used: what it holds can always be erased. */
  readonly eraser: ConversationStorage | null;
  #durable: ConversationStorage | null;
  #hasRetried = false;
  #hasSucceeded = false;

  /**
   * @param durable The storage to guard, or null to use memory only.
   * @param eraser The storage from which records are erased, also when it is not used otherwise.
   */
  constructor(
    durable: ConversationStorage | null,
    clock: Clock,
    onUnavailable: (error: unknown) => void,
    eraser = durable,
  ) {
    this.#durable = durable;
    this.eraser = eraser;
    this.#clock = clock;
    this.#onUnavailable = onUnavailable;
  }

  load(key: string): Promise<unknown> {
    return this.#run(async (storage) => {
      const value = await storage.load(key);
      await this.#copy(storage, key, value);
      return value;
    });
  }

  update(key: string, change: (value: unknown) => unknown): Promise<void> {
    return this.#run(async (storage) => {
      let next: unknown;
      await storage.update(key, (value) => {
        // An operation that has timed out may take place later, when memory is used, and must change nothing then.
        next = storage === (this.#durable ?? this.#memory) ? change(value) : value;
        return next;
      });
      await this.#copy(storage, key, next);
    });
  }

  keys(): Promise<string[]> {
    return this.#run((storage) => storage.keys());
  }

  /** Erases the copy in memory: another tab has erased the record. */
  async eraseCopy(key: string, value: unknown): Promise<void> {
    await this.#memory.update(key, () => value);
  }

  /** Keeps a copy in memory, so that nothing is lost when the durable storage fails later. */
  async #copy(storage: ConversationStorage, key: string, value: unknown): Promise<void> {
    if (storage === this.#durable) await this.#memory.update(key, () => value);
  }

  async #run<Value>(operate: (storage: ConversationStorage) => Promise<Value>): Promise<Value> {
    while (this.#durable) {
      try {
        const delay = this.#hasSucceeded ? laterTimeout : firstTimeout;
        const result = await withTimeout(this.#clock, delay, operate(this.#durable), timedOut);
        if (result !== timedOut) {
          this.#hasSucceeded = true;
          return result;
        }
        this.#fallBack(new Error('The storage timed out.'));
      } catch (error) {
        // Retry once, because a closed connection is opened again.
        if (this.#hasRetried) this.#fallBack(error);
        this.#hasRetried = true;
      }
    }
    return operate(this.#memory);
  }

  #fallBack(error: unknown): void {
    if (!this.#durable) return;
    this.#durable = null;
    this.#onUnavailable(error);
  }
}
