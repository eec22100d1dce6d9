/** Forgets what the service keeps in a data folder, and nothing else that lies there. */
import { rm } from 'node:fs/promises';
import { lockFolder } from './lock.ts';

/** @throws {FolderLockedError} When a running service has the folder. */
export const eraseData = async (folder: string): Promise<void> => {
  const unlock = lockFolder(folder);
  try {
    await rm(`${folder}/database.complete`, { force: true });
    await rm(`${folder}/database`, { recursive: true, force: true });
    await rm(`${folder}/keys.json`, { force: true });
    await rm(`${folder}/seal.key`, { force: true });
  } finally {
    unlock();
  }
};
