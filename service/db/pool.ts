/** Opens the pool of connections to a PostgreSQL server, and copes with connections that are lost while they are in use. */
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { PoolClient } from 'pg';
import { poolTimeoutMs, statementTimeoutMs } from '../core/timeouts.ts';
import * as schema from './schema.ts';
import { socketsWithin } from './silence.ts';

export interface PoolOptions {
  url: string;
  /** Whether the URL leads to PostgreSQL itself, and not to PgBouncer. */
  isDirect: boolean;
  /** Milliseconds without an answer after which a connection is closed. */
  silenceMs: number;
  onError(error: unknown): void;
}

export interface OpenedPool {
  db: NodePgDatabase<typeof schema>;
  close(): Promise<void>;
}

export const openPool = async ({ url, isDirect, silenceMs, onError }: PoolOptions): Promise<OpenedPool> => {
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: poolTimeoutMs,
    stream: socketsWithin(silenceMs),
    // PgBouncer rejects a connection with this parameter.
    ...(isDirect ? { statement_timeout: statementTimeoutMs } : {}),
  });
  const databases = new WeakMap<PoolClient, NodePgDatabase<typeof schema>>();
  pool.on('connect', (client) => {
    // The pool listens for errors only while a connection is idle. One that is lost within a transaction would end the process.
    client.on('error', onError);
    databases.set(client, drizzle({ client, schema }));
  });
  // Repeats the error of an idle connection.
  pool.on('error', () => {});
  const db = drizzle({ client: pool, schema });
  // Drizzle does not return a connection to the pool on which `begin` has failed. Eight of them would leave the pool empty.
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await databases.get(client)!.transaction(work, config);
    } finally {
      client.release();
    }
  };
  return { db, close: () => pool.end() };
};
