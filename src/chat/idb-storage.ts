/** Keeps records in IndexedDB. */
import { createStore, del, entries, get, type UseStore } from 'idb-keyval';
import type { ConversationStorage } from './storage.ts';

let shared: UseStore | undefined;

/** One connection a page. */
export const openStore = (): UseStore => (shared ??= createStore('workspace-chat', 'conversations'));

const settled = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // A request can succeed and its transaction abort, when the quota is used up.
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('aborted'));
  });

export class IdbStorage implements ConversationStorage {
  readonly #store = openStore();

  load(key: string): Promise<unknown> {
    return get(key, this.#store);
  }

  async update(key: string, change: (value: unknown) => unknown): Promise<void> {
    await this.#store('readwrite', async (store) => {
      const done = settled(store.transaction);
      const request = store.get(key);
      request.onsuccess = () => {
        const value = change(request.result);
        if (value === undefined) store.delete(key);
        else store.put(value, key);
      };
      await done;
    });
  }

  async prune(isStale: (value: unknown) => boolean): Promise<void> {
    for (const [key, value] of await entries(this.#store)) if (isStale(value)) await del(key, this.#store);
  }
}
