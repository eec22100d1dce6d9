/** Checks of the database: its version and locale, its migrations, its clock, and the secrets in it. Nothing is written. */
import { sql } from 'drizzle-orm';
import type { Encryption } from '../core/encryption.ts';
import { clockDifferenceMs } from '../db/clock.ts';
import { queryRows } from '../db/database.ts';
import { identityOfDatabase, type ReadDatabase } from '../db/read.ts';
import { trySecrets } from '../db/reencrypt.ts';
import { failed, ok, warning, type Check, type Finding } from './check.ts';

const minVersion = 150_000;
/** Milliseconds. Identity tokens and the signatures of webhooks have times in them. */
const [suspectDrift, maxDrift] = [2000, clockDifferenceMs];
const keyHelp = 'Set WORKSPACE_ENCRYPTION_KEY to the key of this database.';

export const databaseChecks = (
  database: ReadDatabase,
  encryption: Encryption | undefined,
  now: () => number,
): Check[] => [
  { name: 'database', run: () => checkServer(database) },
  { name: 'migrations', run: () => checkMigrations(database) },
  { name: 'clock', run: () => checkClock(database, now) },
  { name: 'keys', run: () => checkKeys(database, encryption) },
];

/** The service sends its statements through the pooler. The other checks read past it. */
export const poolerCheck = (url: string, directUrl: string): Check => ({
  name: 'pooler',
  run: async () => {
    const [pooled, direct] = await Promise.all([identityOfDatabase(url), identityOfDatabase(directUrl)]);
    return pooled === direct
      ? ok('DATABASE_URL and DATABASE_DIRECT_URL lead to the same database.')
      : failed('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. Set both to the same one.');
  },
});

/** Tables and columns of this version are not there before the migration, so what reads them cannot judge the database yet. */
export const afterMigration =
  (database: ReadDatabase, run: () => Promise<Finding>): Check['run'] =>
  async () => {
    const { known, applied } = await database.migrations();
    const isOlder = applied.length > 0 && known.some((at) => !applied.includes(at));
    return isOlder ? warning('Migrations are missing. Check again after the next start, which runs them.') : run();
  };

const checkServer = async ({ db, isEmbedded }: ReadDatabase) => {
  const [server] = await queryRows<{ version: number; text: string; encoding: string; size: string }>(
    db,
    sql`select current_setting('server_version_num')::int as version, current_setting('server_version') as text,
      current_setting('server_encoding') as encoding, pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  const { version, text, encoding, size } = server!;
  if (version < minVersion) return failed(`PostgreSQL ${text} is too old. Use PostgreSQL 15 or newer.`);
  if (encoding !== 'UTF8') return failed(`The encoding is ${encoding}. Create the database with --encoding UTF8.`);
  // The letters of a misspelled word are found only if the locale knows them.
  const [locale] = await queryRows<{ knows: boolean }>(db, sql`select 'كتاب' ~ '^[[:alpha:]]+$' as knows`);
  const name = `${isEmbedded ? 'the embedded PostgreSQL' : 'PostgreSQL'} ${text}, ${size}`;
  if (!isEmbedded && !locale!.knows) {
    return warning(`${name}. Its locale has no Arabic letters, so misspelled Arabic words are not found.`);
  }
  return ok(name);
};

const checkMigrations = async ({ migrations }: ReadDatabase) => {
  const { known, applied } = await migrations();
  const missing = known.filter((at) => !applied.includes(at)).length;
  if (applied.some((at) => !known.includes(at) && at > Math.max(...known))) {
    return failed('The database was migrated by a newer version. Start that version, or restore the backup.');
  }
  if (applied.length === 0) return ok('The database is new. The first start creates the tables.');
  if (missing > 0)
    return warning(`${missing} of ${known.length} are missing. The next start runs them: back up before.`);
  return ok(`all ${known.length}`);
};

const checkClock = async ({ db }: ReadDatabase, now: () => number) => {
  const before = now();
  const [clock] = await queryRows<{ at: number }>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
  );
  const drift = Math.round(Math.abs((before + now()) / 2 - clock!.at));
  const text = `${drift} ms between this machine and the database`;
  if (drift > maxDrift) return failed(`${text}. Synchronize both clocks (NTP).`);
  return drift > suspectDrift ? warning(`${text}. Synchronize both clocks (NTP).`) : ok(text);
};

const checkKeys = async ({ db, migrations }: ReadDatabase, encryption: Encryption | undefined) => {
  const { applied } = await migrations();
  if (!encryption) {
    if (applied.length === 0) return ok('The first start creates the encryption key in the data folder.');
    return failed(`There is no encryption key. ${keyHelp}`);
  }
  if (applied.length === 0) return ok('An encryption key is set.');
  const { tried, unreadable } = await trySecrets(db, encryption);
  if (unreadable === 0) {
    const result = `The encryption key decrypts the stored secrets (${tried}).`;
    return encryption.isWeak
      ? warning(`${result} It is short. Replace it with the output of: openssl rand -base64 32`)
      : ok(result);
  }
  const text = `${unreadable} of ${tried} secrets cannot be decrypted.`;
  return failed(unreadable === tried ? `${text} ${keyHelp}` : `${text} Replace them, or restore the key they need.`);
};
