/** Encrypts the stored secrets with the current key, after the key was replaced. */
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { Encryption } from '../core/encryption.ts';
import { queryRows, type Db } from './database.ts';
import { UnusableDatabaseError } from './requirements.ts';
import * as schema from './schema.ts';

/**
 * The columns whose property has the word “encrypted” in its name. Responses of an Idempotency-Key are left out: they expire
 * within a day, and are of use without their private members.
 */
const encryptedColumns = Object.values(schema).flatMap((table) =>
  is(table, PgTable) && table !== schema.idempotencyKeys
    ? Object.entries(getTableColumns(table)).flatMap(([property, { name }]) =>
        /encrypted/i.test(property) ? [[getTableName(table), name] as const] : [],
      )
    : [],
);

/** A database that is not migrated yet may lack some of the columns. */
const existingColumns = async (db: Db) => {
  const found = await queryRows<{ name: string }>(
    db,
    sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  const names = new Set(found.map(({ name }) => name));
  return encryptedColumns.filter((column) => names.has(column.join('.')));
};

interface Reencrypted {
  changed: number;
  /** Secrets that neither key decrypts. */
  unreadable: number;
}

/** Each secret is replaced on its own, so that a start that is interrupted, or a second process, continues. */
export const reencryptSecrets = async (db: Db, encryption: Encryption): Promise<Reencrypted> => {
  const result = { changed: 0, unreadable: 0 };
  for (const names of encryptedColumns) {
    const [table, column] = names.map((name) => sql.identifier(name));
    const stored = await queryRows<{ secret: string }>(
      db,
      sql`select ${column} as secret from ${table} where ${column} is not null`,
    );
    for (const { secret } of stored.filter((each) => !encryption.isCurrent(each.secret))) {
      const renewed = renew(encryption, secret);
      if (renewed === undefined) result.unreadable++;
      else {
        await db.execute(sql`update ${table} set ${column} = ${renewed} where ${column} = ${secret}`);
        result.changed++;
      }
    }
  }
  return result;
};

/** Secrets of each column that are tried at a start. */
const maxTried = 100;

export interface TriedSecrets {
  tried: number;
  /** The number of secrets that neither key decrypts. */
  unreadable: number;
}

/** Tries the stored secrets, at most `limit` of each column, also in a database that is not migrated yet. */
export const trySecrets = async (db: Db, encryption: Encryption, limit?: number): Promise<TriedSecrets> => {
  const result = { tried: 0, unreadable: 0 };
  for (const names of await existingColumns(db)) {
    const [table, column] = names.map((name) => sql.identifier(name));
    const stored = await queryRows<{ secret: string }>(
      db,
      sql`select ${column} as secret from ${table} where ${column} is not null limit ${limit ?? null}::bigint`,
    );
    result.tried += stored.length;
    result.unreadable += stored.filter(({ secret }) => renew(encryption, secret) === undefined).length;
  }
  return result;
};

/**
 * Returns how many of the stored secrets neither key decrypts.
 * @throws {UnusableDatabaseError} When that is all of them, because then the key belongs to another database.
 */
export const countUnreadableSecrets = async (db: Db, encryption: Encryption): Promise<number> => {
  const { tried, unreadable } = await trySecrets(db, encryption, maxTried);
  if (tried > 0 && unreadable === tried) {
    throw new UnusableDatabaseError(
      'The encryption key does not decrypt the secrets of this database. Set WORKSPACE_ENCRYPTION_KEY to the key of this database, or restore the file encryption.key of its data folder. If the key is lost, start once with --replace-secrets, and replace the secrets.',
    );
  }
  return unreadable;
};

const renew = (encryption: Encryption, encrypted: string): string | undefined => {
  const secret = encryption.decrypt(encrypted);
  return secret === undefined ? undefined : encryption.encrypt(secret);
};
