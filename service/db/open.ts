/** Opens the database: a PostgreSQL server when a URL is given, otherwise PGlite inside this process. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql, type SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { lockFolder } from './lock.ts';
import * as schema from './schema.ts';
import { localSignals, postgresSignals, type Signals } from './signals.ts';

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

export interface OpenedDatabase {
  db: Db;
  signals: Signals;
  /** Whether other processes may have it open as well. */
  isShared: boolean;
  /** Whether it was made by this opening. */
  isNew: boolean;
  /** PGlite only: the whole data folder as a compressed archive. */
  dump?: () => Promise<Blob>;
  close(): Promise<void>;
}

/** Any number that is only ours. */
const migrationLock = 7_206_012_001;
export const seedLock = 7_206_012_002;

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

export const openPostgres = async (url: string, onError: (error: Error) => void): Promise<OpenedDatabase> => {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', onError);
  const db = drizzle({ client: pool, schema });
  let signals: Signals;
  try {
    const client = await pool.connect();
    try {
      // Several processes may start at once: one migrates, the others find it done.
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
      await migrate(drizzle({ client, schema }), { migrationsFolder });
    } finally {
      client.release(true);
    }
    signals = await postgresSignals(url, onError);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    db: db as unknown as Db,
    signals,
    isShared: true,
    isNew: false,
    close: async () => {
      await signals.close();
      await pool.end();
    },
  };
};

/** `dataDir` absent: in memory. `snapshot`: what a new database starts from, instead of an empty one. */
export const openPglite = async (
  options: { dataDir?: string; snapshot?: () => Promise<Blob | undefined> } = {},
): Promise<OpenedDatabase> => {
  const unlock = options.dataDir === undefined ? undefined : lockFolder(options.dataDir);
  try {
    const [{ PGlite }, { pg_trgm }, { drizzle }, { migrate }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
    ]);
    const folder = options.dataDir === undefined ? undefined : join(options.dataDir, 'database');
    const complete = folder === undefined ? undefined : `${folder}.complete`;
    const exists = complete !== undefined && existsSync(complete);
    // A first start that was cut short left files without a database among them.
    if (folder !== undefined && !exists) rmSync(folder, { recursive: true, force: true });
    const snapshot = exists ? undefined : await options.snapshot?.();
    const client = await PGlite.create({
      ...(folder === undefined ? {} : { dataDir: folder }),
      ...(snapshot ? { loadDataDir: snapshot } : {}),
      extensions: { pg_trgm },
    });
    if (complete !== undefined && !exists) writeFileSync(complete, '');
    const db = drizzle({ client, schema });
    await migrate(db, { migrationsFolder });
    return {
      db: db as unknown as Db,
      signals: localSignals(),
      isShared: false,
      isNew: !exists,
      dump: () => client.dumpDataDir('gzip'),
      close: async () => {
        await client.close();
        unlock?.();
      },
    };
  } catch (error) {
    unlock?.();
    throw error;
  }
};

/** Raw rows: both drivers answer `{rows}`. */
export const rows = async <Row>(db: Db, query: SQL): Promise<Row[]> => {
  const answer: unknown = await db.execute(query);
  return (answer as { rows: Row[] }).rows;
};

/** A PostgreSQL array of text from a list, the same on both drivers. */
export const textArray = (values: readonly string[]): SQL => {
  return values.length === 0
    ? sql`array[]::text[]`
    : sql`array[${sql.join(
        values.map((value) => sql`${value}`),
        sql`, `,
      )}]::text[]`;
};
