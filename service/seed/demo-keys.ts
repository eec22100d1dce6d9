/** The two API keys of the demo. They are stored in the data folder, because the database has only their hashes. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { apiKeys } from '../db/schema.ts';
import { newId, newKey, sha256 } from '../core/ids.ts';
import { scopes } from '../core/scopes.ts';
import { workspace } from './business.ts';

export interface DemoKeys {
  publishableKey: string;
  secretKey: string;
}

/** Uses the given keys, those in the data folder or new ones, and adds them to the database. */
export const demoKeys = async (
  db: Db,
  at: number,
  options: Partial<DemoKeys>,
  folder: string | undefined,
): Promise<DemoKeys> => {
  const path = folder === undefined ? undefined : join(folder, 'keys.json');
  const stored = path === undefined ? {} : await read(path);
  const keys: DemoKeys = {
    publishableKey: options.publishableKey ?? stored.publishableKey ?? newKey('publishable'),
    secretKey: options.secretKey ?? stored.secretKey ?? newKey('secret'),
  };
  const common = { workspaceId: workspace.id, agentIds: null, createdAt: new Date(at) };
  const rows = [
    {
      ...common,
      kind: 'publishable' as const,
      label: 'Demo page',
      scopes: ['chat' as const],
      key: keys.publishableKey,
    },
    { ...common, kind: 'secret' as const, label: 'Demo backend', scopes: [...scopes], key: keys.secretKey },
  ].map(({ key, ...row }) => ({ ...row, id: newId('key'), keyHash: sha256(key) }));
  const known = await db
    .select({ keyHash: apiKeys.keyHash })
    .from(apiKeys)
    .where(
      inArray(
        apiKeys.keyHash,
        rows.map((row) => row.keyHash),
      ),
    );
  const missing = rows.filter((row) => !known.some(({ keyHash }) => keyHash === row.keyHash));
  if (missing.length > 0) await db.insert(apiKeys).values(missing).onConflictDoNothing();
  if (path !== undefined && folder !== undefined) {
    await mkdir(folder, { recursive: true });
    await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await chmod(path, 0o600);
  }
  return keys;
};

const read = async (path: string): Promise<Partial<DemoKeys>> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<DemoKeys>;
  } catch {
    return {};
  }
};
