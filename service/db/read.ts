/** Opens the database for checks: it is not migrated, and nothing in it is changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { poolTimeoutMs } from '../core/timeouts.ts';
import { queryRows, type Db } from './database.ts';
import { lockFolder, requireUsableFolder } from './lock.ts';
import { migrationsFolder } from './open.ts';
import * as schema from './schema.ts';
import { connect } from './silence.ts';

/** The times of the migrations that this program has, and of those that the database has. */
interface Migrations {
  known: number[];
  applied: number[];
}

export interface ReadDatabase {
  db: Db;
  isEmbedded: boolean;
  migrations(): Promise<Migrations>;
  close(): Promise<void>;
}

/**
 * @returns Undefined when there is no embedded database yet.
 * @throws {UnusableFolderError} When there can be none.
 */
export const openForReading = async (
  folder: string,
  databaseUrl: string | undefined,
): Promise<ReadDatabase | undefined> => {
  const opened = databaseUrl === undefined ? await openFolder(folder) : await openServer(databaseUrl);
  return opened && { ...opened, isEmbedded: databaseUrl === undefined, migrations: () => readMigrations(opened.db) };
};

type Opened = Pick<ReadDatabase, 'db' | 'close'>;

const openServer = async (url: string): Promise<Opened> => {
  const { drizzle } = await import('drizzle-orm/node-postgres');
  const readOnly = new URL(url);
  const options = [...readOnly.searchParams.getAll('options'), '-c default_transaction_read_only=on'];
  // PgBouncer rejects a connection with this parameter. A statement would set it for the other clients of the pooler.
  readOnly.searchParams.set('options', options.join(' '));
  const client = await connect(readOnly.href, poolTimeoutMs);
  return { db: drizzle({ client, schema }) as unknown as Db, close: () => client.end() };
};

/** Returns a text that is another one for another database, of the same server or of another one. */
export const identityOfDatabase = async (url: string): Promise<string> => {
  const client = await connect(url, poolTimeoutMs);
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select extract(epoch from pg_postmaster_start_time()) || ' ' || oid as identity from pg_database
      where datname = current_database()`,
    );
    return rows[0]!.identity;
  } finally {
    await client.end();
  }
};

const openFolder = async (dataDir: string): Promise<Opened | undefined> => {
  const folder = join(dataDir, 'database');
  if (!existsSync(`${folder}.complete`)) {
    requireUsableFolder(dataDir);
    return undefined;
  }
  const unlock = lockFolder(dataDir);
  try {
    const [{ PGlite }, { pg_trgm }, { drizzle }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
      import('drizzle-orm/pglite'),
    ]);
    const client = await PGlite.create({ dataDir: folder, extensions: { pg_trgm } });
    await client.exec('set default_transaction_read_only = on');
    const close = async () => {
      await client.close();
      unlock();
    };
    return { db: drizzle({ client, schema }) as unknown as Db, close };
  } catch (error) {
    unlock();
    throw error;
  }
};

const readMigrations = async (db: Db): Promise<Migrations> => {
  const known = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis);
  const [table] = await queryRows<{ name: string | null }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`,
  );
  if (table?.name == null) return { known, applied: [] };
  const rows = await queryRows<{ at: string }>(
    db,
    sql`select created_at::text as at from drizzle.__drizzle_migrations`,
  );
  return { known, applied: rows.map(({ at }) => Number(at)) };
};
