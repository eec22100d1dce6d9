/** The two API keys of the demo: made once for a workspace, and stored encrypted, because the table of keys has only hashes. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Encryption } from '../core/encryption.ts';
import { newId, newKey, sha256 } from '../core/ids.ts';
import { makeFolder } from '../core/make-folder.ts';
import { scopes } from '../core/scopes.ts';
import type { Db } from '../db/database.ts';
import { apiKeys, demoKeyPairs } from '../db/schema.ts';

export interface DemoKeys {
  publishableKey: string;
  secretKey: string;
}

/** Milliseconds for which keys are valid that the next start cannot find. */
const temporaryMs = 7 * 24 * 60 * 60 * 1000;

interface DemoKeyOptions {
  workspaceId: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Keys to use instead of stored or new ones. */
  given: Partial<DemoKeys>;
  /** The data folder, where the keys are written to. */
  folder: string | undefined;
  encryption: Encryption;
  /** Whether new keys replace those that cannot be decrypted, because the encryption key is lost. */
  replacesSecrets?: boolean | undefined;
}

/**
 * Returns the keys of the workspace. Makes them at the first start. A key is inserted once: after it was revoked, and its row was
 * deleted, no copy of it brings it back.
 */
export const demoKeys = async (
  db: Db,
  { workspaceId, at, given, folder, encryption, replacesSecrets }: DemoKeyOptions,
): Promise<DemoKeys> => {
  const path = folder === undefined ? undefined : join(folder, 'keys.json');
  const inFolder = path === undefined ? {} : await read(path);
  const keys = await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('demo keys'))`);
    const [row] = await tx.select().from(demoKeyPairs).where(eq(demoKeyPairs.workspaceId, workspaceId));
    const stored = row
      ? await storedKeys(tx, row, inFolder, { at, encryption, replacesSecrets })
      : await keysOfFolder(tx, workspaceId, inFolder);
    const chosen: DemoKeys = {
      publishableKey: given.publishableKey ?? stored.keys.publishableKey ?? newKey('publishable'),
      secretKey: given.secretKey ?? stored.keys.secretKey ?? newKey('secret'),
    };
    const isGiven = given.publishableKey !== undefined || given.secretKey !== undefined;
    const inserted = row?.keyHashes ?? [];
    await insertKeys(tx, chosen, { workspaceId, at, expiresAt: isGiven ? null : stored.expiresAt, except: inserted });
    if (stored.isSaved && !isGiven) return chosen;
    const keyHashes = [...new Set([...inserted, ...hashesOf(chosen)])];
    const encrypted = row && isGiven ? row.encrypted : encryption.encrypt(JSON.stringify(chosen));
    await tx
      .insert(demoKeyPairs)
      .values({ workspaceId, encrypted, keyHashes })
      .onConflictDoUpdate({ target: demoKeyPairs.workspaceId, set: { encrypted, keyHashes } });
    return chosen;
  });
  if (path !== undefined && folder !== undefined) {
    makeFolder(folder);
    await writeFile(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await chmod(path, 0o600);
  }
  return keys;
};

interface StoredKeys {
  keys: Partial<DemoKeys>;
  /** Whether the database has the keys already, or keys that this process cannot decrypt. */
  isSaved: boolean;
  /** When new keys expire. They are not stored when another process has stored its keys with another encryption key. */
  expiresAt: Date | null;
}

/** Returns the keys of a database that does not know its first keys: those of the folder, except revoked ones that it may have deleted. */
const keysOfFolder = async (tx: Db, workspaceId: string, inFolder: Partial<DemoKeys>): Promise<StoredKeys> => {
  const known = await tx.select({ keyHash: apiKeys.keyHash }).from(apiKeys).where(eq(apiKeys.workspaceId, workspaceId));
  const hashes = new Set(known.map(({ keyHash }) => keyHash));
  const kept = Object.entries(inFolder).filter(([, key]) => hashes.size === 0 || hashes.has(sha256(key)));
  return { keys: Object.fromEntries(kept), isSaved: false, expiresAt: null };
};

const storedKeys = async (
  tx: Db,
  row: typeof demoKeyPairs.$inferSelect,
  inFolder: Partial<DemoKeys>,
  { at, encryption, replacesSecrets }: Pick<DemoKeyOptions, 'at' | 'encryption' | 'replacesSecrets'>,
): Promise<StoredKeys> => {
  const text = encryption.decrypt(row.encrypted);
  if (text !== undefined) return { keys: JSON.parse(text) as DemoKeys, isSaved: true, expiresAt: null };
  const isOfFolder = hashesOf(inFolder).every((hash) => row.keyHashes.includes(hash));
  if (isOfFolder) return { keys: inFolder, isSaved: false, expiresAt: null };
  if (replacesSecrets) return { keys: {}, isSaved: false, expiresAt: null };
  const isValid = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, new Date(at)));
  const valid = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.keyHash, hashesOf(inFolder)), isNull(apiKeys.revokedAt), isValid));
  return { keys: valid.length === 2 ? inFolder : {}, isSaved: true, expiresAt: new Date(at + temporaryMs) };
};

const hashesOf = ({ publishableKey = '', secretKey = '' }: Partial<DemoKeys>): string[] => {
  return [sha256(publishableKey), sha256(secretKey)];
};

/** @param except The hashes of the keys that were inserted before. */
const insertKeys = async (
  tx: Db,
  { publishableKey, secretKey }: DemoKeys,
  { workspaceId, at, expiresAt, except }: { workspaceId: string; at: number; expiresAt: Date | null; except: string[] },
): Promise<void> => {
  const common = { workspaceId, agentIds: null, createdAt: new Date(at), expiresAt };
  const rows: (typeof apiKeys.$inferInsert)[] = [
    {
      ...common,
      id: newId('key'),
      kind: 'publishable',
      label: 'Demo page',
      scopes: ['chat'],
      keyHash: sha256(publishableKey),
    },
    {
      ...common,
      id: newId('key'),
      kind: 'secret',
      label: 'Demo backend',
      scopes: [...scopes],
      keyHash: sha256(secretKey),
    },
  ];
  const missing = rows.filter(({ keyHash }) => !except.includes(keyHash));
  if (missing.length > 0) await tx.insert(apiKeys).values(missing).onConflictDoNothing();
};

const read = async (path: string): Promise<Partial<DemoKeys>> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<DemoKeys>;
  } catch {
    return {};
  }
};
