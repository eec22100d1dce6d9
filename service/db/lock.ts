/** Locks a data folder against a second process. Two PGlite processes would corrupt the database. */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../core/ids.ts';
import { makeFolder } from '../core/make-folder.ts';

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

/** The folder cannot be made, or not be written to. The message is a sentence for the operator. */
export class UnusableFolderError extends Error {
  constructor(folder: string, cause: unknown) {
    const { message } = cause as Error;
    super(
      `The data folder ${folder} cannot be used: ${message}. Check its rights and the space of its disk, or choose another one with --data.`,
    );
    this.name = 'UnusableFolderError';
  }
}

/**
 * Checks that a folder can be made, or be written to, without doing so.
 * @throws {UnusableFolderError}
 */
export const requireUsableFolder = (folder: string): void => {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK);
    readdirSync(nearest);
  } catch (error) {
    throw new UnusableFolderError(folder, error);
  }
};

const lockedByThisProcess = new Set<string>();

/**
 * Locks the folder and returns the function that unlocks it. Replaces the lock of a process that has died.
 * @throws {UnusableFolderError | FolderLockedError}
 */
export const lockFolder = (folder: string): (() => void) => {
  try {
    makeFolder(folder);
    return lock(join(folder, 'service.lock'));
  } catch (error) {
    throw error instanceof FolderLockedError ? error : new UnusableFolderError(folder, error);
  }
};

const lock = (path: string): (() => void) => {
  try {
    writeFileSync(path, `${process.pid}\n${startOf(process.pid) ?? ''}`, { flag: 'wx' });
    lockedByThisProcess.add(path);
    return () => {
      if (lockedByThisProcess.delete(path)) rmSync(path, { force: true });
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const content = writtenContentOf(path);
  // The other process has ended meanwhile.
  if (content === undefined) return lock(path);
  const { pid, start } = holder(content);
  // In a container every start has the same process id: a lock with our id that this process does not hold is stale.
  const isStale = pid === process.pid && !lockedByThisProcess.has(path);
  if (pid !== undefined && !isStale && isAlive(pid, start)) throw new FolderLockedError(dirname(path), pid);
  return replaceStale(path, content);
};

/**
 * Replaces the lock of a process that has died. Several processes may have found it at once: the removal of this one lock has a
 * lock too, and its holder checks that it is still there. Otherwise a process could remove the lock of the one that was faster.
 */
const replaceStale = (path: string, content: string): (() => void) => {
  const unlock = lock(`${path}.${sha256(content).slice(0, 16)}`);
  try {
    if (contentOf(path) === content) rmSync(path);
    return lock(path);
  } finally {
    unlock();
  }
};

/** Milliseconds in which a process that has made its lock has written to it. */
const writingMs = 100;

const writtenContentOf = (path: string): string | undefined => {
  const content = contentOf(path);
  if (content !== '') return content;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, writingMs);
  return contentOf(path);
};

/** Returns undefined for a file that is not there any more, and an empty text for one that cannot be read. */
const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
};

interface Holder {
  pid?: number;
  /** Missing in the lock of an older version, and of a system without `/proc`. */
  start?: string;
}

const holder = (content: string): Holder => {
  const [id = '', start] = content.split('\n');
  const pid = Number.parseInt(id, 10);
  return Number.isInteger(pid) && pid > 0 ? { pid, ...(start ? { start } : {}) } : {};
};

/**
 * Returns the boot of the machine, the process ids' namespace, and the time from the boot to the start of the process. After a power loss, the id of a process
 * that died may belong to another program. Undefined on a system without `/proc`.
 */
const startOf = (pid: number): string | undefined => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program in parentheses, and may contain spaces. The start is field 22.
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [boot, readlinkSync('/proc/self/ns/pid'), afterName[19]].join(' ');
  } catch {
    return undefined;
  }
};

/** Whether the process that has an id now is another one than the holder of a lock, which had it at that start. */
const isReused = (pid: number, start: string | undefined): boolean => {
  const now = startOf(pid);
  if (start === undefined || now === undefined || start === now) return false;
  const [[boot, space], [bootNow, spaceNow]] = [start.split(' '), now.split(' ')];
  // In another container of the machine, an id belongs to another process.
  return boot !== bootNow || space === spaceNow;
};

const isAlive = (pid: number, start: string | undefined): boolean => {
  if (isReused(pid, start)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
