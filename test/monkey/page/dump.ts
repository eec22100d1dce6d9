/** Reads everything that the origin has stored in IndexedDB, as text. */
import { native } from './browser-faults.ts';

const settled = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

export const dumpDatabases = async (): Promise<string> => {
  const found: unknown[] = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(native.open.call(indexedDB, name!));
    for (const storeName of database.objectStoreNames) {
      const store = native.transaction.call(database, storeName).objectStore(storeName);
      const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
      found.push([name, storeName, keys, values]);
    }
    database.close();
  }
  return JSON.stringify(found);
};
