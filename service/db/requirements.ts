/** Checks a database before it is migrated, so that a start fails with a cause and before anything is changed. */
import { readMigrationFiles } from 'drizzle-orm/migrator';

/** The database cannot be used by this program. The message is a sentence for the operator. */
export class UnusableDatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableDatabaseError';
  }
}

/** A connection of either driver. */
interface Connection {
  query(text: string): Promise<{ rows: unknown[] }>;
}

/** @throws {UnusableDatabaseError} */
export const requireUsableDatabase = async (client: Connection, migrationsFolder: string): Promise<void> => {
  const encoding = await readText(
    client,
    `select pg_encoding_to_char(encoding) as value from pg_database
    where datname = current_database()`,
  );
  if (encoding !== 'UTF8') {
    throw new UnusableDatabaseError(
      `The database has the encoding ${encoding}, which cannot store every language. Create it with: createdb --template template0 --encoding UTF8`,
    );
  }
  const newest = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));
  const isMigrated = await readText(client, `select to_regclass('drizzle.__drizzle_migrations')::text as value`);
  if (isMigrated === null) return;
  const applied = await readText(client, 'select max(created_at)::text as value from drizzle.__drizzle_migrations');
  if (Number(applied) > newest) {
    throw new UnusableDatabaseError(
      'The database was migrated by a newer version of the service. Start that version, or restore the backup from before the upgrade.',
    );
  }
};

const readText = async (client: Connection, query: string): Promise<string | null> => {
  const { rows } = await client.query(query);
  const [row] = rows as { value: string | null }[];
  return row?.value ?? null;
};
