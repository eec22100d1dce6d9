/** Opens the browser's database for conversations, with one connection per page. */
import { createStore, type UseStore } from 'idb-keyval';

let shared: UseStore | undefined;

/** Runs `callback` in a transaction. The connection is opened on demand. */
export const useStore: UseStore = (mode, callback) => {
  shared ??= createStore('workspace-chat', 'conversations');
  return shared(mode, (store) => {
    const { db } = store.transaction;
    // Another page upgrades or deletes the database, and waits until every connection to it is closed.
    db.onversionchange = () => {
      db.close();
      shared = undefined;
    };
    return callback(store);
  });
};
