/** The database connection that all of the service shares, and helpers for raw SQL. */
import { sql, type SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { withoutNul } from '../core/storable.ts';
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

/** Databases in which a statement can keep its name. Behind a pooler, the statements of one client run on different connections. */
const naming = new WeakSet<Db>();

/** From now on, the prepared statements of a database have names. */
export const nameStatements = (db: Db): void => void naming.add(db);

interface Statement<Rows> {
  execute(values: Record<string, unknown>): Promise<Rows>;
}

/**
 * Returns a statement that Drizzle builds once for each database, and that PostgreSQL parses once for each connection. It takes
 * the values of its `sql.placeholder`s, of which the texts may be any: `await findKey(db, { keyHash })`.
 */
export const prepared = <Rows>(name: string, build: (db: Db) => { prepare(name: string): Statement<Rows> }) => {
  const statementOf = oncePerDatabase((db) => build(db).prepare(naming.has(db) ? name : ''));
  return (db: Db, values: Record<string, unknown>): Promise<Rows> => {
    const storable = Object.entries(values).map(([key, value]) => [key, storableParameter(value)]);
    return statementOf(db).execute(Object.fromEntries(storable));
  };
};

const storableParameter = (value: unknown): unknown => (typeof value === 'string' ? withoutNul(value) : value);
