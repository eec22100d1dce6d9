/** The embedded database of an older version: what its migrations have made. */
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Db } from '../../../service/db/database.ts';
import { migrationsFolder, openPglite } from '../../../service/db/open.ts';

const done = new Error('The older database is complete.');

/** Creates it in a data folder, with the first `count` migrations and the rows of `fill`. */
export const createOlderDatabase = async (
  dataDir: string,
  count: number,
  fill: (db: Db) => Promise<unknown>,
): Promise<void> => {
  const beforeMigration = async (db: Db) => {
    await db.execute(sql`create schema drizzle`);
    await db.execute(
      sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    );
    for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder }).slice(0, count)) {
      for (const statement of statements) await db.execute(sql.raw(statement));
      await db.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
      );
    }
    await fill(db);
    // The migrations of this version do not follow.
    throw done;
  };
  await openPglite({ dataDir, beforeMigration }).catch((error: unknown) => {
    if (error !== done) throw error;
  });
};
