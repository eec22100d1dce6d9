/**
 * Statements that PostgreSQL parses once for each connection. A turn runs the same few statements, and parsing one of them takes
 * longer than running it.
 */
import { sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import { withoutNul } from '../core/storable.ts';

/** Names a statement whose text is always the same. The name is also shown where the database lists its statements. */
export const named = (name: string, statement: SQL): SQL => sql`${sql.raw(`/* ${name} */ `)}${statement}`;

const nameComment = /^\/\* ([\w.]+) \*\//;

/**
 * Returns a client class that prepares the named statements, or one that prepares nothing: a pooler may run the statements of one
 * client on different connections.
 */
export const statementClient = (Client: typeof pg.Client, prepares: boolean): typeof pg.Client => {
  const StatementClient = class extends Client {};
  const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const run = function (this: pg.Client, config: unknown, values: unknown, ...rest: unknown[]): unknown {
    return query.call(
      this,
      isStatement(config) ? { ...config, name: prepares ? nameOf(config) : undefined } : config,
      Array.isArray(values) ? values.map(storableParameter) : values,
      ...rest,
    );
  };
  Object.defineProperty(StatementClient.prototype, 'query', { value: run });
  return StatementClient;
};

const storableParameter = (value: unknown): unknown => (typeof value === 'string' ? withoutNul(value) : value);

interface Statement {
  text: string;
  name?: string;
}

const isStatement = (config: unknown): config is Statement => {
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config);
};

/** A query of Drizzle's builder has its name from `prepare`. */
const nameOf = ({ text, name }: Statement): string | undefined => name ?? nameComment.exec(text)?.[1];
