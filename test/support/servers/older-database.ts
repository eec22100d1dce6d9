/** The embedded database of an older version: what its migrations have made, and an encrypted secret. */
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Db } from '../../../service/db/database.ts';
import { migrationsFolder, openPglite } from '../../../service/db/open.ts';
import { createEncryption } from '../../../service/core/encryption.ts';

const done = new Error('The older database is complete.');

/** The version with so many migrations did not store its first keys yet. */
export const olderMigrations = 12;

/** Creates it in a data folder. */
export const createOlderDatabase = async (dataDir: string, encryptionKey: string): Promise<void> => {
  const encryptedSecret = createEncryption(encryptionKey).encrypt('a secret');
  const beforeMigration = async (db: Db) => {
    await db.execute(sql`create schema drizzle`);
    await db.execute(
      sql`create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
    );
    const migrations = readMigrationFiles({ migrationsFolder }).slice(0, olderMigrations);
    for (const { sql: statements, hash, folderMillis } of migrations) {
      for (const statement of statements) await db.execute(sql.raw(statement));
      await db.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
      );
    }
    await db.execute(
      sql`insert into workspaces (id, name, plan, created_at) values ('wsp_old', 'Old', 'scale', now())`,
    );
    await db.execute(sql`insert into webhook_endpoints (id, workspace_id, url, events, enabled, sealed_secret, created_at)
      values ('whk_old', 'wsp_old', 'https://shop.example', '{}', true, ${encryptedSecret}, now())`);
    // The migrations of this version do not follow.
    throw done;
  };
  await openPglite({ dataDir, beforeMigration }).catch((error: unknown) => {
    if (error !== done) throw error;
  });
};
