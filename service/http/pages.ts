/** Pages of lists: the query parameters `limit` and `cursor`, and the response `{data, next_cursor}`. */
import { z } from '@hono/zod-openapi';
import { desc, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { defaultPageSize, maxPageSize } from '../../contract/limits.ts';
import { invalid } from '../core/errors.ts';
import type { KeyAccess } from '../core/key-access.ts';
import { boundedText } from '../core/bounded-text.ts';

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(defaultPageSize),
  cursor: boundedText(500).optional(),
});

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

/** The position of the last row of a page: the values that the rows are sorted by. */
type Position = (string | number | Date)[];

/** The position of a row in a list that is sorted by the time of its creation. */
export const byCreation = ({ createdAt, id }: { createdAt: Date; id: string }): Position => [createdAt, id];

/** `rows` has one row more than `limit` when there is another page. */
export const page = <Row, Item>(
  rows: Row[],
  limit: number,
  serialize: (row: Row) => Item,
  position: (row: Row) => Position,
): { data: Item[]; next_cursor: string | null } => {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  return {
    data: visible.map(serialize),
    next_cursor: rows.length > limit && last ? encode(position(last)) : null,
  };
};

/**
 * The condition and the order of a list that is sorted by time, newest first. PostgreSQL reads an index that ends with both
 * columns backwards, and the comparison of rows lets it start at the cursor.
 */
export const newestFirst = (
  time: PgColumn,
  id: PgColumn,
  cursor: string | undefined,
): { after: SQL | undefined; order: SQL[] } => {
  const position = decodeCursor(cursor, ['date', 'id']);
  return {
    after: position && sql`(${time}, ${id}) < (${sql.param(position[0], time)}, ${sql.param(position[1], id)})`,
    order: [desc(time), desc(id)],
  };
};

/** The part of Drizzle's queries that `readMerged` needs. Its own types do not allow a generic union. */
interface PageQuery<Row> extends PromiseLike<Row[]> {
  unionAll(other: PageQuery<Row>): PageQuery<Row>;
  orderBy(...order: SQL[]): PageQuery<Row>;
  limit(rows: number): PageQuery<Row>;
}

/**
 * Reads the first rows of several queries in a common order. Each query reads the rows of one page from its own index. A
 * single query with `in (…)` or `or` would read and sort all rows.
 */
export const readMerged = async <Row>(queries: PromiseLike<Row[]>[], order: SQL[], limit: number): Promise<Row[]> => {
  const [first, ...others] = (queries as PageQuery<Row>[]).map((query) => query.orderBy(...order).limit(limit));
  if (!first || others.length === 0) return first ?? [];
  return others
    .reduce((merged, query) => merged.unionAll(query), first)
    .orderBy(...order)
    .limit(limit);
};

/** The agents whose rows a list contains, to read each with `readMerged`, or undefined for all rows of the workspace. */
export const listedAgents = ({ agentIds }: KeyAccess, wanted: string | undefined): (string | undefined)[] => {
  return wanted === undefined ? (agentIds ?? [undefined]) : [wanted];
};

const encode = (position: Position): string => {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
};

/** @throws {ApiError} `validation_error` for a cursor that this service did not create. */
export const decodeCursor = <const Kinds extends readonly ('date' | 'id' | 'number')[]>(
  cursor: string | undefined,
  kinds: Kinds,
):
  | { [At in keyof Kinds]: Kinds[At] extends 'number' ? number : Kinds[At] extends 'date' ? Date : string }
  | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    if (Array.isArray(values) && values.length === kinds.length && encode(values as Position) === cursor) {
      const read = kinds.map((kind, at) => readValue(kind, values[at]));
      if (read.every((value) => value !== undefined)) return read as never;
    }
  } catch {
    // Rejected below, like every other invalid cursor.
  }
  throw invalid('cursor', 'invalid_cursor', 'Pass next_cursor back unchanged.');
};

const readValue = (kind: 'date' | 'id' | 'number', value: unknown): Date | string | number | undefined => {
  if (kind === 'number') {
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (kind === 'id') return /^[\w-]{1,100}$/.test(value) ? value : undefined;
  // PostgreSQL has no year 0 and no years with a sign, which JavaScript accepts.
  const isTime = /^[1-9]\d{3}-[\d:.T-]+Z$/.test(value) && new Date(value).toISOString() === value;
  return isTime ? new Date(value) : undefined;
};
