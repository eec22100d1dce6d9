/** The storage interface, its in-memory version, and the guard that bounds how long the chat waits for it. */
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

/** The timeout of the first operation, in milliseconds. The chat waits no longer before it is shown. */
const firstTimeout = 900;
/** The timeout after an operation has succeeded: the machine may be busy. */
const laterTimeout = 5_000;

/** Repeats an operation once if it fails, because a closed connection is opened again. */
const repeat = <Value>(operate: () => Promise<Value>): Promise<Value> => operate().catch(operate);

const unsettled = Symbol('unsettled');

/**
 * Repeats an operation that fails once, and reports when nothing can be stored. While that lasts, the state in memory is all
 * there is. An operation that takes long is not given up: its result counts whenever it arrives.
 */
export class GuardedStorage implements ConversationStorage {
  readonly #storage: ConversationStorage;
  /** The browser's storage, also when it is not used: a record in it can always be erased. */
  readonly #eraser: ConversationStorage | null;
  readonly #clock: Clock;
  readonly #onUnavailable: (error: unknown) => void;
  readonly #onAvailable: () => void;
  #problem: 'failed' | 'late' | null = null;
  #hasSucceeded = false;

  /**
   * @param durable The storage to guard, or null to use memory only.
   * @param eraser The storage from which records are erased, also when it is not used otherwise.
   * @param onAvailable Called when something can be stored again.
   */
  constructor(
    durable: ConversationStorage | null,
    clock: Clock,
    onUnavailable: (error: unknown) => void,
    eraser = durable,
    onAvailable = () => {},
  ) {
    this.#storage = durable ?? new MemoryStorage();
    this.#eraser = eraser;
    this.#clock = clock;
    this.#onUnavailable = onUnavailable;
    this.#onAvailable = onAvailable;
  }

  async load(key: string): Promise<unknown> {
    const value = await this.#repeat(() => this.#storage.load(key));
    this.#succeed(false);
    return value;
  }

  async update(key: string, change: (value: unknown) => unknown): Promise<void> {
    let hasWritten = false;
    await this.#repeat(() =>
      this.#storage.update(key, (value) => {
        const next = change(value);
        hasWritten = next !== value;
        return next;
      }),
    );
    this.#succeed(hasWritten);
  }

  keys(): Promise<string[]> {
    return this.#repeat(() => this.#storage.keys());
  }

  /** Like `update`, but also in a storage that is not used otherwise, or is full: that can still delete. */
  async erase(key: string, change: (value: unknown) => unknown): Promise<void> {
    const remove = (value: unknown) => (change(value) === value ? value : undefined);
    for (const storage of new Set([this.#storage, this.#eraser])) {
      await repeat(async () => storage?.update(key, change)) //
        .catch(() => storage?.update(key, remove))
        .catch(() => {});
    }
  }

  /** Resolves to the result of an operation, or to `fallback` when it has failed, or takes longer than the chat waits. */
  async soon<Value, Fallback>(operation: Promise<Value>, fallback: Fallback): Promise<Value | Fallback> {
    const result = operation.catch(() => fallback);
    if (this.#problem === 'late') return Promise.race([result, Promise.resolve().then(() => fallback)]);
    const timeout = this.#hasSucceeded ? laterTimeout : firstTimeout;
    const settled = await withTimeout(this.#clock, timeout, result, unsettled);
    if (settled !== unsettled) return settled;
    this.#report('late', new Error('The storage timed out.'));
    return fallback;
  }

  async #repeat<Value>(operate: () => Promise<Value>): Promise<Value> {
    try {
      return await repeat(operate);
    } catch (error) {
      this.#report('failed', error);
      throw error;
    }
  }

  #report(problem: 'failed' | 'late', error: unknown): void {
    if (!this.#problem) this.#onUnavailable(error);
    this.#problem = problem;
  }

  /** A full storage can still be read. */
  #succeed(hasWritten: boolean): void {
    this.#hasSucceeded = true;
    if (this.#problem !== 'late' && !(this.#problem && hasWritten)) return;
    this.#problem = null;
    this.#onAvailable();
  }
}
