/** Checks of the data after a restore: the rows of each table, and the references between them. */
import { is, sql } from 'drizzle-orm';
import { getTableConfig, PgTable, type ForeignKey } from 'drizzle-orm/pg-core';
import { queryRows } from '../db/database.ts';
import type { ReadDatabase } from '../db/read.ts';
import * as schema from '../db/schema.ts';
import { failed, ok, warning, type Check, type Finding } from './check.ts';
import { afterMigration } from './database.ts';

const tables = Object.values<unknown>(schema).filter((each): each is PgTable => is(each, PgTable));

export const deepChecks = (database: ReadDatabase): Check[] => [
  { name: 'tables', run: afterMigration(database, () => countRows(database)) },
  { name: 'references', run: afterMigration(database, () => checkReferences(database)) },
  { name: 'indexes', run: afterMigration(database, () => checkIndexes(database)) },
];

/** The counts are for the comparison with those of the database that was backed up. */
const countRows = async ({ db }: ReadDatabase): Promise<Finding> => {
  const [found] = await queryRows<{ names: string[] | null }>(
    db,
    sql`select array_agg(table_name::text) as names from information_schema.tables where table_schema = 'public'`,
  );
  const names = tables.map((table) => getTableConfig(table).name);
  const missing = names.filter((name) => !found?.names?.includes(name));
  if (missing.length > 0) return failed(`These tables are missing: ${missing.join(', ')}. Restore the backup again.`);
  const counts: string[] = [];
  for (const table of tables) {
    const total = await db.$count(table);
    if (total > 0) counts.push(`${getTableConfig(table).name} ${total}`);
  }
  return (await db.$count(schema.workspaces)) === 0 ? warning('The database has no workspace.') : ok(counts.join(', '));
};

/** A restore that reports errors may have left a constraint out, and a row may then refer to one that is not there. */
const checkReferences = async ({ db }: ReadDatabase): Promise<Finding> => {
  const existing = await queryRows<{ name: string }>(
    db,
    sql`select conname::text as name from pg_constraint where contype = 'f' and convalidated`,
  );
  const names = new Set(existing.map(({ name }) => name));
  const problems: string[] = [];
  let checked = 0;
  for (const table of tables) {
    for (const key of getTableConfig(table).foreignKeys) {
      checked++;
      if (!names.has(key.getName())) problems.push(`the constraint ${key.getName()} is missing`);
      const orphans = await countOrphans(db, table, key);
      if (orphans > 0)
        problems.push(`${orphans} rows of ${getTableConfig(table).name} refer to rows that do not exist`);
    }
  }
  if (problems.length === 0) return ok(`all ${checked}`);
  return failed(`${problems.join('; ')}. Restore the backup again.`);
};

const countOrphans = async (db: ReadDatabase['db'], table: PgTable, key: ForeignKey): Promise<number> => {
  const { columns, foreignTable, foreignColumns } = key.reference();
  const column = sql.identifier(columns[0]!.name);
  const target = sql.identifier(foreignColumns[0]!.name);
  const [found] = await queryRows<{ total: number }>(
    db,
    sql`select count(*)::int as total from ${table} as own where own.${column} is not null
      and not exists (select 1 from ${foreignTable} as target where target.${target} = own.${column})`,
  );
  return found!.total;
};

const checkIndexes = async ({ db }: ReadDatabase): Promise<Finding> => {
  const existing = await queryRows<{ name: string }>(
    db,
    sql`select class.relname::text as name from pg_index join pg_class as class on class.oid = indexrelid where indisvalid`,
  );
  const names = new Set(existing.map(({ name }) => name));
  const expected = tables.flatMap((table) => getTableConfig(table).indexes.map(({ config }) => config.name ?? ''));
  const missing = expected.filter((name) => !names.has(name));
  if (missing.length > 0) return failed(`Missing or not valid: ${missing.join(', ')}. Restore the backup again.`);
  return ok(`all ${expected.length}`);
};
