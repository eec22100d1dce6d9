/** The database connection that all of the service shares, and helpers for raw SQL. */
import { sql, type SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type * as schema from './schema.ts';

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

/** The dependencies of most domain functions. */
export interface DatabaseContext {
  db: Db;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Returns the rows of a raw query. Both drivers return an object with `rows`, which Drizzle's common type lacks. */
export const queryRows = async <Row>(db: Db, query: SQL): Promise<Row[]> => {
  const result: unknown = await db.execute(query);
  return (result as { rows: Row[] }).rows;
};

/** Returns a PostgreSQL text array that both drivers accept. */
export const textArray = (values: readonly string[]): SQL => {
  return values.length === 0
    ? sql`array[]::text[]`
    : sql`array[${sql.join(
        values.map((value) => sql`${value}`),
        sql`, `,
      )}]::text[]`;
};

/** Returns a function that creates a value for each database once. */
export const oncePerDatabase = <Value>(create: (db: Db) => Value): ((db: Db) => Value) => {
  const created = new WeakMap<Db, Value>();
  return (db) => {
    const value = created.get(db) ?? create(db);
    created.set(db, value);
    return value;
  };
};
