/** Takes features of the browser away, as the environment of the run says, and counts what the storage is doing. */
import { activity } from './clock.ts';
import type { PageSettings } from './settings.ts';

/** The browser's own database, which no fault has replaced. */
export const native = {
  open: IDBFactory.prototype.open,
  transaction: IDBDatabase.prototype.transaction,
  put: IDBObjectStore.prototype.put,
};

const faults = { isFull: false, isGone: false };

/** Causes the fault of the storage from now on. */
export const failStorage = (storage: string): void => {
  faults.isFull = storage === 'full';
  faults.isGone = storage === 'gone';
};

const countUntil = (target: EventTarget, ...events: string[]): void => {
  activity.pending++;
  const done = new AbortController();
  for (const event of events) {
    target.addEventListener(
      event,
      () => {
        done.abort();
        activity.pending--;
        activity.count++;
      },
      { signal: done.signal },
    );
  }
};

/** Opens a transaction that the next one of the same stores has to wait for. */
const occupy = (database: IDBDatabase, names: string | string[]): void => {
  const occupied = native.transaction.call(database, names, 'readwrite');
  const store = occupied.objectStore(typeof names === 'string' ? names : names[0]!);
  const readAgain = (left: number): void => {
    store.get('nothing').onsuccess = () => {
      if (left > 0) readAgain(left - 1);
    };
  };
  readAgain(60);
};

const installStorage = (storage: string): void => {
  IDBFactory.prototype.open = function (name, version) {
    if (storage === 'blocked') throw new DOMException('denied', 'SecurityError');
    const request = native.open.call(this, name, version);
    countUntil(request, 'success', 'error');
    return request;
  };
  IDBDatabase.prototype.transaction = function (names, mode, options) {
    if (faults.isGone) {
      faults.isGone = false;
      this.close();
      this.onclose?.(new Event('close'));
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    }
    if (storage === 'slow') occupy(this, names as string | string[]);
    const transaction = native.transaction.call(this, names, mode, options);
    countUntil(transaction, 'complete', 'abort');
    return transaction;
  };
  IDBObjectStore.prototype.put = function (value, key) {
    const request = native.put.call(this, value, key);
    if (faults.isFull) request.addEventListener('success', () => this.transaction.abort());
    return request;
  };
};

/** Counts the messages that arrive from other tabs. */
const countNews = (): void => {
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    activity.count++;
    postMessage.call(this, message);
  };
};

export const installFaults = ({ environment, hasStorageFault }: PageSettings): void => {
  const { storage, hasChannel, hasLocks } = environment;
  installStorage(storage);
  if (hasStorageFault) failStorage(storage);
  if (hasChannel) countNews();
  else Object.defineProperty(window, 'BroadcastChannel', { value: undefined });
  if (!hasLocks) Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
};
