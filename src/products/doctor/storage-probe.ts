/** Tests whether this page can use IndexedDB, by writing and deleting a record. */
const name = 'workspace-chat-doctor';

/** The timeout in milliseconds: open() may never settle. */
const timeout = 3000;

const write = (): Promise<boolean> =>
  new Promise((settle) => {
    const timer = setTimeout(() => settle(false), timeout);
    const resolve = (isWritten: boolean) => {
      clearTimeout(timer);
      settle(isWritten);
    };
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('records');
    opening.onerror = opening.onblocked = () => resolve(false);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction('records', 'readwrite');
      const end = (isWritten: boolean) => {
        database.close();
        indexedDB.deleteDatabase(name);
        resolve(isWritten);
      };
      transaction.objectStore('records').put(1, 'written');
      transaction.oncomplete = () => end(true);
      transaction.onabort = () => end(false);
    };
  });

export const canStore = async (): Promise<boolean> => {
  try {
    return await write();
  } catch {
    return false;
  }
};
