/** Whether this page may keep anything in the browser: writes a record of its own, and takes it away again. */
const name = 'workspace-chat-doctor';

/** An open may never settle. */
const patience = 3000;

const write = (): Promise<boolean> =>
  new Promise((resolve) => {
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
    setTimeout(() => resolve(false), patience);
  });

export const canStore = async (): Promise<boolean> => {
  try {
    return await write();
  } catch {
    return false;
  }
};
