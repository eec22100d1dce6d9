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

const openServer = async (connectionString: string): Promise<Opened> => {
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: poolTimeoutMs });
  client.on('error', () => {});
  await client.connect();
  await client.query('set default_transaction_read_only = on');
  return { db: drizzle({ client, schema }) as unknown as Db, close: () => client.end() };
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
