/** Opens the browser's database for conversations, with one connection per page. */
import { createStore, type UseStore } from 'idb-keyval';

let shared: UseStore | undefined;

/** Transactions that have neither been completed nor aborted. Null until the database is used. */
let active: Set<IDBTransaction> | null = null;

/** Settles when the page is shown again. Null while it is shown. */
let hidden: Promise<void> | null = null;

/** The transactions that were aborted because their page was hidden. */
const interrupted = new WeakSet<IDBTransaction>();

const interrupt = (transaction: IDBTransaction): void => {
  try {
    transaction.abort();
    interrupted.add(transaction);
  } catch {
    // It is being committed.
  }
};

/**
 * A page in the back/forward cache completes no transaction, and in WebKit an open one blocks the database for the next
 * page. So it is aborted, and repeated when the page is shown again.
 */
const onPageHide = ({ persisted }: PageTransitionEvent): void => {
  if (!persisted) return;
  hidden ??= new Promise((resolve) => {
    const onPageShow = () => {
      hidden = null;
      resolve();
    };
    addEventListener('pageshow', onPageShow, { once: true });
  });
  active?.forEach(interrupt);
};

/** Runs `callback` in a transaction. The connection is opened on demand. */
export const useStore: UseStore = async (mode, callback) => {
  if (!active) addEventListener('pagehide', onPageHide);
  const open = (active ??= new Set());
  for (;;) {
    await hidden;
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
      if (!transaction || !interrupted.has(transaction)) throw error;
    } finally {
      if (transaction) open.delete(transaction);
    }
  }
};
