/** Deletes everything that the service stores in a data folder, and no other file in it. */
import { rm } from 'node:fs/promises';
import { passphraseFiles } from '../core/encryption.ts';
import { lockFolder } from './lock.ts';

/** @throws {FolderLockedError} When a running service uses the folder. */
export const eraseData = async (folder: string): Promise<void> => {
  const unlock = lockFolder(folder);
  try {
    for (const name of ['database.complete', 'database', 'keys.json', 'relay-bindings.json', ...passphraseFiles]) {
      await rm(`${folder}/${name}`, { recursive: true, force: true });
    }
  } finally {
    unlock();
  }
};
