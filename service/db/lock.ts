/**
 * Locks a data folder against a second process. Two PGlite processes would corrupt the database. The lock is a file that names a
 * pipe, which the holder has open. The system closes it when the process ends, in whatever way. A process id tells less: after a
 * power loss it belongs to another program, and in a container each service is process 1.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
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
      `The data folder ${folder} is in use by ${pid === process.pid ? 'another service' : `process ${pid}`}. Stop it, or start this one with another folder.`,
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
  const pipe = openPipe(path);
  try {
    writeFileSync(path, [process.pid, pipe?.suffix].join('\n'), { flag: 'wx' });
    lockedByThisProcess.add(path);
    return () => {
      if (!lockedByThisProcess.delete(path)) return;
      rmSync(path, { force: true });
      pipe?.close();
    };
  } catch (error) {
    pipe?.close();
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const content = writtenContentOf(path);
  // The other process has ended meanwhile.
  if (content === undefined) return lock(path);
  const holder = toHolder(content);
  if (holder && isHeld(path, holder)) throw new FolderLockedError(dirname(path), holder.pid);
  return replaceStale(path, content);
};

/**
 * Replaces the lock of a process that has died. Several processes may have found it at once: the removal of this one lock has a
 * lock too, and its holder checks that it is still there. Otherwise a process could remove the lock of the one that was faster.
 */
const replaceStale = (path: string, content: string): (() => void) => {
  const unlock = lock(`${path}.${sha256(content).slice(0, 16)}`);
  try {
    if (contentOf(path) === content) {
      rmSync(path);
      const suffix = toHolder(content)?.suffix;
      if (suffix !== undefined) rmSync(path + suffix, { force: true });
    }
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

/** The end of the name of a pipe, after the name of the lock. */
const suffixPattern = /^\.pipe-[0-9a-f]{8}$/;

/** Makes a pipe beside the lock and opens it. Returns undefined where the system, or the file system, has none. */
const openPipe = (path: string): { suffix: string; close(): void } | undefined => {
  const suffix = `.pipe-${randomBytes(4).toString('hex')}`;
  const pipe = path + suffix;
  try {
    execFileSync('mkfifo', [pipe], { stdio: 'ignore' });
    const file = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const close = () => {
      closeSync(file);
      rmSync(pipe, { force: true });
    };
    return { suffix, close };
  } catch {
    rmSync(pipe, { force: true });
    return undefined;
  }
};

interface Holder {
  pid: number;
  /** Of the pipe. Missing in the lock of an older version, and where there are no pipes. */
  suffix: string | undefined;
}

const toHolder = (content: string): Holder | undefined => {
  const [id = '', suffix = ''] = content.split('\n');
  const pid = Number.parseInt(id, 10);
  return pid > 0 ? { pid, suffix: suffixPattern.test(suffix) ? suffix : undefined } : undefined;
};

const isHeld = (path: string, { pid, suffix }: Holder): boolean => {
  if (suffix !== undefined) return isOpen(path + suffix);
  // In a container every start has the same process id: a lock with our id that this process does not hold is stale.
  return pid === process.pid ? lockedByThisProcess.has(path) : isAlive(pid);
};

/** Whether a process has a pipe open, also one in another container. */
const isOpen = (pipe: string): boolean => {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return !['ENXIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code!);
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
