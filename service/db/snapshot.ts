/**
 * Caches a seeded database as an archive, because restoring one is faster than seeding. The file name contains a hash of
 * all inputs, so a change of an input leads to a new archive.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/workspace-chat/', import.meta.url));
/** The folders of all modules that the seed runs. */
const snapshotInputs = ['../../contract', '../core', '../db', '../knowledge', '../seed'];

export const cachedSnapshot = async (): Promise<Blob | undefined> => {
  const cached = await readFile(await snapshotPath()).catch(() => undefined);
  return cached && new Blob([new Uint8Array(cached)]);
};

/** Saves the archive for the next start. Ignores errors, because the cache only saves time. */
export const saveSnapshot = async (archive: Blob): Promise<void> => {
  const path = await snapshotPath();
  try {
    await mkdir(cache, { recursive: true });
    const old = (await readdir(cache)).filter(
      (name) => /^seed-.*\.tar(\.gz)?$/.test(name) && join(cache, name) !== path,
    );
    const temporary = `${path}.${process.pid}`;
    await writeFile(temporary, new Uint8Array(await archive.arrayBuffer()));
    await rename(temporary, path);
    await Promise.all(old.map((name) => rm(join(cache, name), { force: true })));
  } catch {
    // The next start creates the archive.
  }
};

const snapshotPath = async (): Promise<string> => {
  return join(cache, `seed-${await fingerprint()}.tar`);
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
