/** Opens the database: a PostgreSQL server, or PGlite inside this process. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameStatements, type Db } from './database.ts';
import { lockFolder } from './lock.ts';
import { startHeartbeat, type Heartbeat } from './processes.ts';
import { requireUsableDatabase } from './requirements.ts';
import { silentConnectionMs } from '../core/timeouts.ts';
import { openPool } from './pool.ts';
import * as schema from './schema.ts';
import { connect } from './silence.ts';
import { localSignals, postgresSignals, type Signals } from './signals.ts';

export interface OpenedDatabase {
  db: Db;
  signals: Signals;
  /** Whether other processes may have the database open too. */
  isShared: boolean;
  /** Returns a new holder of leases. See `processes.ts`. */
  newHolder(): string;
  /** Whether this call created the database. */
  isNew: boolean;
  /** PGlite only: returns the data folder as an archive, uncompressed, because it is read faster. */
  dump?: () => Promise<Blob>;
  close(): Promise<void>;
}

/** The keys of advisory locks: arbitrary numbers that no other program uses. */
const migrationLock = 7_206_012_001;
export const seedLock = 7_206_012_002;

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

interface OpenOptions {
  /** Examines a database before it is migrated. It may have no tables yet. An error ends the start, and changes nothing. */
  beforeMigration?: (db: Db) => Promise<void>;
}

interface PostgresOptions extends OpenOptions {
  url: string;
  /** The URL past a connection pooler, for what belongs to a session: the lock of the migrations, and `LISTEN`. */
  directUrl?: string;
  /** Milliseconds without an answer after which a connection is closed. */
  silenceMs?: number;
  onError(error: unknown): void;
}

export const openPostgres = async ({
  url,
  directUrl = url,
  silenceMs = silentConnectionMs,
  beforeMigration,
  onError,
}: PostgresOptions): Promise<OpenedDatabase> => {
  const { drizzle } = await import('drizzle-orm/node-postgres');
  const isDirect = directUrl === url;
  const { db, close } = await openPool({ url, isDirect, silenceMs, onError });
  if (isDirect) nameStatements(db);
  let signals: Signals | undefined;
  let heartbeat: Heartbeat;
  try {
    await migratePostgres(directUrl, silenceMs, beforeMigration);
    const connected = await postgresSignals(directUrl, onError);
    signals = connected;
    heartbeat = await startHeartbeat(() => drizzle({ client: connected.connection(), schema }), connected.reconnect);
  } catch (error) {
    await signals?.close();
    await close();
    throw error;
  }
  return {
    db: db as unknown as Db,
    signals,
    newHolder: heartbeat.newHolder,
    isShared: true,
    isNew: false,
    close: async () => {
      // If the database is gone, the silence of the process ends its leases.
      await heartbeat.stop().catch(onError);
      await signals.close();
      await close();
    },
  };
};

const migratePostgres = async (
  url: string,
  silenceMs: number,
  beforeMigration: OpenOptions['beforeMigration'],
): Promise<void> => {
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const client = await connect(url, silenceMs);
  try {
    // Several processes may start at once: the first migrates, the others wait.
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await requireUsableDatabase(client, migrationsFolder);
    const db = drizzle({ client, schema });
    await beforeMigration?.(db);
    await migrate(db, { migrationsFolder });
  } finally {
    await client.end();
  }
};

/**
 * How much of its files the embedded database keeps in its own memory. PGlite's default of 128 MB costs 0.5 s at each start and
 * 100 MB of memory, and saves little: the operating system has the files in its cache, or they are in memory already.
 */
const sharedBuffers = '32MB';

/** Without `dataDir` the database is in memory. A new database starts from `snapshot`, or empty. */
export const openPglite = async (
  options: OpenOptions & { dataDir?: string; snapshot?: () => Promise<Blob | undefined> } = {},
): Promise<OpenedDatabase> => {
  const unlock = options.dataDir === undefined ? undefined : lockFolder(options.dataDir);
  try {
    const [{ types }, { PreparingPglite }, { pg_trgm }, { drizzle }, { migrate }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('./preparing-pglite.ts'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
      import('drizzle-orm/pglite'),
      import('drizzle-orm/pglite/migrator'),
    ]);
    const folder = options.dataDir === undefined ? undefined : join(options.dataDir, 'database');
    const complete = folder === undefined ? undefined : `${folder}.complete`;
    const exists = complete !== undefined && existsSync(complete);
    // Removes the incomplete files of a first start that was interrupted.
    if (folder !== undefined && !exists) rmSync(folder, { recursive: true, force: true });
    const snapshot = exists ? undefined : await options.snapshot?.();
    // Drizzle parses times itself.
    const times = [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE];
    const client = new PreparingPglite({
      startParams: [...PreparingPglite.defaultStartParams, '-c', `shared_buffers=${sharedBuffers}`],
      parsers: Object.fromEntries(times.map((type) => [type, String])),
      ...(folder === undefined ? {} : { dataDir: folder }),
      ...(snapshot ? { loadDataDir: snapshot } : {}),
      extensions: { pg_trgm },
    });
    await client.waitReady;
    if (complete !== undefined && !exists) writeFileSync(complete, '');
    const db = drizzle({ client, schema });
    try {
      await requireUsableDatabase(client, migrationsFolder);
      await options.beforeMigration?.(db);
      await migrate(db, { migrationsFolder });
    } catch (error) {
      await client.close();
      throw error;
    }
    return {
      db: db as unknown as Db,
      signals: localSignals(),
      newHolder: () => randomUUID(),
      isShared: false,
      isNew: !exists,
      dump: () => client.dumpDataDir('none'),
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
