/** Stores conversations in the app, as JSON text under a key. Each operation is a request with a response. */
import { parseJson, toTexts } from '../../api/decode-values.ts';
import { toJson } from '../../api/encoding.ts';
import type { ConversationStorage } from '../../chat/storage/storage.ts';
import type { StorageReply, StorageRequest } from './protocol.ts';

/** The key of the list of records, because an app cannot list them. */
const listKey = 'workspace-chat records';

/** A request without its type and id. */
type Request = StorageRequest extends infer Each
  ? Each extends StorageRequest
    ? Omit<Each, 'type' | 'id'>
    : never
  : never;

interface Waiting {
  resolve(value: string | null): void;
  reject(error: Error): void;
}

export class NativeStorage implements ConversationStorage {
  readonly #post: (request: StorageRequest) => void;
  readonly #waiting = new Map<string, Waiting>();
  /** The keys that are in the list. */
  readonly #listed = new Set<string>();
  #count = 0;
  /** The last operation. They run one after another, so that a read and its write are not interleaved. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(post: (request: StorageRequest) => void) {
    this.#post = post;
  }

  load(key: string): Promise<unknown> {
    return this.#enqueue(() => this.#read(key));
  }

  update(key: string, change: (value: unknown) => unknown): Promise<void> {
    return this.#enqueue(async () => {
      const before = await this.#read(key);
      const after = change(before);
      if (after !== before) await this.#write(key, after);
    });
  }

  keys(): Promise<string[]> {
    return this.#enqueue(() => this.#list());
  }

  /** Handles the app's response. Returns false when no request is waiting for it. */
  settle({ id, value, error }: StorageReply): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(value ?? null);
    else waiting.reject(new Error(`The app’s storage failed: ${error}`));
    return true;
  }

  #enqueue<Value>(operate: () => Promise<Value>): Promise<Value> {
    const result = this.#queue.then(operate);
    this.#queue = result.catch(() => {});
    return result;
  }

  #ask(request: Request): Promise<string | null> {
    const id = `s${++this.#count}`;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post({ type: 'storage', id, ...request });
    });
  }

  async #read(key: string): Promise<unknown> {
    const value = await this.#ask({ operation: 'load', key });
    return value === null ? undefined : parseJson(value);
  }

  /** Lists a record before it is saved and until it is deleted, so that none is left behind. */
  async #write(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      await this.#ask({ operation: 'delete', key });
      await this.#changeList((keys) => keys.filter((other) => other !== key));
      this.#listed.delete(key);
      return;
    }
    if (!this.#listed.has(key)) await this.#changeList((keys) => (keys.includes(key) ? keys : [...keys, key]));
    this.#listed.add(key);
    await this.#ask({ operation: 'save', key, value: toJson(value) });
  }

  async #changeList(change: (keys: readonly string[]) => readonly string[]): Promise<void> {
    const before = await this.#list();
    const after = change(before);
    if (after.length === before.length) return;
    if (after.length > 0) await this.#ask({ operation: 'save', key: listKey, value: toJson(after) });
    else await this.#ask({ operation: 'delete', key: listKey });
  }

  async #list(): Promise<string[]> {
    return toTexts(await this.#read(listKey));
  }
}
