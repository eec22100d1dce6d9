/**
 * Stores records in IndexedDB. A long transcript is split into pages, so that a turn reads and writes only the last one.
 */
import { promisifyRequest } from 'idb-keyval';
import { isObject } from '../../api/decode-values.ts';
import { useStore } from './idb-store.ts';
import type { ConversationStorage } from './storage.ts';

/** Messages per page. */
const pageSize = 50;
/** At least so many messages at the end stay in the record itself, because they may still change. */
const unpaged = 10;

/** The stored form of a record, under the record's key. Page `n` is stored under `[key, n]`. */
interface Head {
  messages: readonly unknown[];
  /** The number of pages before `messages`. */
  pages: number;
  /** A random value for each write, so that a tab knows whether its cached pages are current. */
  stamp: number;
}

interface Found {
  value: unknown;
  pages: number;
}

const messagesOf = (value: unknown): readonly unknown[] =>
  isObject(value) && Array.isArray(value['messages']) ? value['messages'] : [];

const isPaged = (value: unknown): value is Head => isObject(value) && typeof value['pages'] === 'number';

const pagesOf = (key: string) => IDBKeyRange.bound([key], [key, []]);

export class IdbStorage implements ConversationStorage {
  /** The record that was read or written last. */
  #cached: (Found & { key: string; stamp: number }) | null = null;

  load(key: string): Promise<unknown> {
    return useStore('readonly', async (store) => (await this.#read(store, key)).value);
  }

  async update(key: string, change: (value: unknown) => unknown): Promise<void> {
    await this.#change(async (store) => {
      const found = await this.#read(store, key);
      const value = change(found.value);
      if (value === found.value) return;
      if (value === undefined) this.#delete(store, key);
      else this.#write(store, key, value, found);
    });
  }

  async keys(): Promise<string[]> {
    const keys = await useStore('readonly', (store) => promisifyRequest(store.getAllKeys()));
    return keys.filter((key) => typeof key === 'string');
  }

  /** Waits for the transaction: a request can succeed although its transaction aborts, when the quota is exceeded. */
  #change(operate: (store: IDBObjectStore) => Promise<void>): Promise<unknown> {
    return useStore('readwrite', (store) => Promise.all([promisifyRequest(store.transaction), operate(store)]));
  }

  async #read(store: IDBObjectStore, key: string): Promise<Found> {
    const head: unknown = await promisifyRequest(store.get(key));
    if (!isPaged(head)) return { value: head, pages: 0 };
    const { pages, stamp, ...record } = head;
    if (this.#cached?.key === key && this.#cached.stamp === stamp) return this.#cached;
    const earlier = pages > 0 ? await promisifyRequest<unknown[][]>(store.getAll(pagesOf(key), pages)) : [];
    const value = { ...record, messages: [...earlier.flat(), ...messagesOf(record)] };
    this.#cached = { key, stamp, value, pages };
    return this.#cached;
  }

  #write(store: IDBObjectStore, key: string, value: unknown, before: Found): void {
    const messages = messagesOf(value);
    const old = messagesOf(before.value);
    const pages = Math.max(0, Math.floor((messages.length - unpaged) / pageSize));
    for (let page = 0; page < pages; page++) {
      const start = page * pageSize;
      const own = messages.slice(start, start + pageSize);
      // A message object is never modified, so identity means equality.
      const isKept = page < before.pages && own.every((message, index) => message === old[start + index]);
      if (!isKept) store.put(own, [key, page]);
    }
    if (pages < before.pages) store.delete(IDBKeyRange.bound([key, pages], [key, []]));
    const stamp = Math.random();
    store.put({ ...(value as object), messages: messages.slice(pages * pageSize), pages, stamp }, key);
    this.#cached = { key, stamp, value, pages };
  }

  #delete(store: IDBObjectStore, key: string): void {
    this.#cached = null;
    store.delete(key);
    store.delete(pagesOf(key));
  }
}
