/** Makes a folder with its parents. With `recursive`, Node.js tries forever where nothing can be made, such as below /proc. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws {NodeJS.ErrnoException} Also when the path is that of a file. */
export const makeFolder = (path: string): void => {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may make it at the same time.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
};
