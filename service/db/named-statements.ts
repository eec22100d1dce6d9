/**
 * Statements that PostgreSQL parses once for each connection. A turn runs the same few statements, and parsing one of them takes
 * longer than running it.
 */
import { sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';

/** Names a statement whose text is always the same. The name is also shown where the database lists its statements. */
export const named = (name: string, statement: SQL): SQL => sql`${sql.raw(`/* ${name} */ `)}${statement}`;

const nameComment = /^\/\* ([\w.]+) \*\//;

/** Returns a client class that prepares the named statements. */
export const preparingClient = (Client: typeof pg.Client): typeof pg.Client => {
  const PreparingClient = class extends Client {};
  const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const prepare = function (this: pg.Client, config: unknown, ...rest: unknown[]): unknown {
    return query.call(this, withName(config), ...rest);
  };
  Object.defineProperty(PreparingClient.prototype, 'query', { value: prepare });
  return PreparingClient;
};

const withName = (config: unknown): unknown => {
  if (typeof config !== 'object' || config === null || !('text' in config) || 'callback' in config) return config;
  const name = nameComment.exec(String(config.text))?.[1];
  return name === undefined ? config : { ...config, name };
};
