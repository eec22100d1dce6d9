/** Opens the browser's database for conversations, with one connection per page. */
import { createStore, type UseStore } from 'idb-keyval';

let shared: UseStore | undefined;

/** The transactions that are open. Those that the page's end has interrupted are not among them. */
const open = new Set<IDBTransaction | undefined>();

/** Settles when the page is shown again. */
let shown: Promise<unknown> | undefined;

/**
 * A page in the back/forward cache completes no transaction, and in WebKit an open one blocks the database for the next
 * page. So it is interrupted, and repeated when the page is shown again.
 */
const onPageHide = ({ persisted }: PageTransitionEvent): void => {
  if (!persisted) return;
  shown = new Promise((resolve) => {
    addEventListener('pageshow', resolve, { once: true });
  });
  for (const transaction of open) {
    open.delete(transaction);
    try {
      transaction!.abort();
    } catch {
      // It is being committed.
    }
  }
};

/** Runs `callback` in a transaction. The connection is opened on demand. */
export const useStore: UseStore = async (mode, callback) => {
  for (;;) {
    await shown;
    if (!shared) addEventListener('pagehide', onPageHide);
    shared ??= createStore('workspace-chat', 'conversations');
    let transaction: IDBTransaction | undefined;
    try {
      return await shared(mode, (store) => {
        ({ transaction } = store);
        open.add(transaction);
        const { db } = transaction;
        // Another page upgrades or deletes the database, and waits until every connection to it is closed.
        db.onversionchange = () => {
          db.close();
          shared = undefined;
        };
        return callback(store);
      });
    } catch (error) {
      if (!transaction || open.has(transaction)) throw error;
    } finally {
      open.delete(transaction);
    }
  }
};
