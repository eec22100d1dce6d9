/** Locks a data folder against a second process. Two PGlite processes would corrupt the database. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class FolderLockedError extends Error {
  readonly folder: string;
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by process ${pid}. Stop that process, or start this one with another folder.`,
    );
    this.name = 'FolderLockedError';
    this.folder = folder;
    this.pid = pid;
  }
}

const lockedByThisProcess = new Set<string>();

/** Locks the folder and returns the function that unlocks it. Replaces the lock of a process that has died. */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'service.lock');
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      lockedByThisProcess.add(path);
      return () => {
        if (lockedByThisProcess.delete(path)) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const pid = holder(path);
    // In a container every start has the same process id: a lock with our id that this process does not hold is stale.
    const isStale = pid === process.pid && !lockedByThisProcess.has(path);
    if (pid !== undefined && !isStale && isAlive(pid)) throw new FolderLockedError(folder, pid);
    rmSync(path, { force: true });
  }
  throw new FolderLockedError(folder, holder(path) ?? 0);
};

const holder = (path: string): number | undefined => {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
