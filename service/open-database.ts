/** Opens the database of the service and seeds it when it is new. */
import { sql } from 'drizzle-orm';
import type { Db } from './db/database.ts';
import { errorText, type Log } from './core/log.ts';
import { releaseAllLeases } from './db/lease.ts';
import { openPglite, openPostgres, seedLock, type OpenedDatabase } from './db/open.ts';
import { cachedSnapshot, saveSnapshot } from './db/snapshot.ts';
import { isSeeded, namelessWorkspace, seedWorkspace, type NewWorkspace, type WorkspaceKind } from './seed/seed.ts';

interface DatabaseOptions {
  /** Examines the database before anything in it is changed. */
  beforeMigration?: (db: Db) => Promise<void>;
  dataDir?: string;
  databaseUrl?: string;
  directDatabaseUrl?: string;
  workspace?: WorkspaceKind;
  defaultWorkspace?: WorkspaceKind;
  /** The names of a new workspace of the kind `empty`. */
  newWorkspace?: NewWorkspace;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export const openDatabase = async (
  options: DatabaseOptions,
  log: Log,
  onProgress: (text: string) => void,
): Promise<OpenedDatabase> => {
  const kind = options.workspace ?? options.defaultWorkspace ?? 'demo';
  const opened = await open(options, kind, log, onProgress);
  try {
    if (!opened.isShared && !opened.isNew) await releaseAllLeases(opened.db);
    if (await isSeeded(opened.db)) {
      if (options.workspace !== undefined && !opened.isNew) {
        onProgress('The database has a workspace already, which stays unchanged.');
      }
    } else {
      onProgress('Creating the workspace. This happens only once…');
      const { newWorkspace = namelessWorkspace, now = Date.now } = options;
      await seed(opened, kind, newWorkspace, new Date(now()));
    }
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const open = (
  { dataDir, databaseUrl, directDatabaseUrl, beforeMigration }: DatabaseOptions,
  kind: WorkspaceKind,
  log: Log,
  onProgress: (text: string) => void,
): Promise<OpenedDatabase> => {
  const examined = beforeMigration ? { beforeMigration } : {};
  if (databaseUrl === undefined) {
    onProgress('Opening the database…');
    return openPglite({
      ...examined,
      ...(dataDir === undefined ? {} : { dataDir }),
      ...(kind === 'demo' ? { snapshot: cachedSnapshot } : {}),
    });
  }
  onProgress('Connecting to PostgreSQL…');
  return openPostgres({
    ...examined,
    url: databaseUrl,
    ...(directDatabaseUrl === undefined ? {} : { directUrl: directDatabaseUrl }),
    onError: (error) => log({ level: 'error', event: 'database_connection_lost', error: errorText(error) }),
  });
};

const seed = async (
  { db, dump }: OpenedDatabase,
  kind: WorkspaceKind,
  given: NewWorkspace,
  at: Date,
): Promise<void> => {
  await db.transaction(async (tx) => {
    // When two processes start on one empty database, the second waits here and finds it seeded.
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`);
    if (!(await isSeeded(tx))) await seedWorkspace(tx, kind, given, at);
  });
  if (dump && kind === 'demo') await saveSnapshot(await dump());
};
