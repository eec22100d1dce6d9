/** The demo's two API keys. The database holds their hashes, so the keys themselves lie beside it for the next start. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { apiKeys } from '../db/schema.ts';
import { newId, newKey, sha256 } from '../core/ids.ts';
import { scopes } from '../core/scopes.ts';
import { workspace } from './business.ts';

export interface DemoKeys {
  publishableKey: string;
  secretKey: string;
}

/** Uses the keys given, else those kept in the data folder, else new ones; and makes sure the database knows them. */
export const demoKeys = async (
  db: Db,
  at: number,
  given: Partial<DemoKeys>,
  folder: string | undefined,
): Promise<DemoKeys> => {
  const path = folder === undefined ? undefined : join(folder, 'keys.json');
  const kept = path === undefined ? {} : await read(path);
  const keys: DemoKeys = {
    publishableKey: given.publishableKey ?? kept.publishableKey ?? newKey('publishable'),
    secretKey: given.secretKey ?? kept.secretKey ?? newKey('secret'),
  };
  const common = { workspaceId: workspace.id, agentIds: null, createdAt: new Date(at) };
  const wanted = [
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
        wanted.map((row) => row.keyHash),
      ),
    );
  const missing = wanted.filter((row) => !known.some(({ keyHash }) => keyHash === row.keyHash));
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
