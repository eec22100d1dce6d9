/**
 * A seeded database kept as an archive in the cache: restoring one takes a second, making one two or three.
 * Its name is a hash of everything it is made from, so a change to any of it makes a new one.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/workspace-chat/', import.meta.url));
const snapshotInputs = [
  './schema.ts',
  '../db/tables',
  '../db/migrations',
  '../knowledge',
  '../seed',
  '../core/language.ts',
];

export const cachedSnapshot = async (): Promise<Blob | undefined> => {
  const cached = await readFile(await snapshotPath()).catch(() => undefined);
  return cached && new Blob([new Uint8Array(cached)]);
};

/** For the next database. A cache that cannot be written only costs time. */
export const saveSnapshot = async (archive: Blob): Promise<void> => {
  const path = await snapshotPath();
  try {
    await mkdir(cache, { recursive: true });
    const old = (await readdir(cache)).filter((name) => /^seed-.*\.tar\.gz$/.test(name) && join(cache, name) !== path);
    const half = `${path}.${process.pid}`;
    await writeFile(half, new Uint8Array(await archive.arrayBuffer()));
    await rename(half, path);
    await Promise.all(old.map((name) => rm(join(cache, name), { force: true })));
  } catch {
    // The next start makes it again.
  }
};

const snapshotPath = async (): Promise<string> => {
  return join(cache, `seed-${await fingerprint()}.tar.gz`);
};

const fingerprint = async (): Promise<string> => {
  const hash = createHash('sha256');
  const library = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  hash.update(await readFile(join(dirname(library), '../package.json')));
  for (const entry of snapshotInputs) await add(hash, fileURLToPath(new URL(entry, import.meta.url)));
  return hash.digest('hex').slice(0, 16);
};

const add = async (hash: ReturnType<typeof createHash>, path: string): Promise<void> => {
  const names = await readdir(path).catch(() => undefined);
  if (!names) {
    hash.update(path.split('/').at(-1)!).update(await readFile(path));
    return;
  }
  for (const name of names.sort()) await add(hash, join(path, name));
};
