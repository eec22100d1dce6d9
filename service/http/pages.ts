/** Pages of lists: the query parameters `limit` and `cursor`, and the response `{data, next_cursor}`. */
import { z } from '@hono/zod-openapi';
import { and, desc, eq, lt, or, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { defaultPageSize, maxPageSize } from '../../contract/limits.ts';
import { invalid } from '../core/errors.ts';

export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(maxPageSize).default(defaultPageSize),
  cursor: z.string().max(500).optional(),
});

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

/** The position of the last row of a page: the values that the rows are sorted by. */
export type Position = (string | number)[];

/** `rows` has one row more than `limit` when there is another page. */
export const page = <Row, Item>(
  rows: Row[],
  limit: number,
  serialise: (row: Row) => Item,
  position: (row: Row) => Position,
): { data: Item[]; next_cursor: string | null } => {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  return {
    data: visible.map(serialise),
    next_cursor: rows.length > limit && last ? encode(position(last)) : null,
  };
};

/** The condition and the order of a list that is sorted by time, newest first. */
export const newestFirst = (
  time: PgColumn,
  id: PgColumn,
  cursor: string | undefined,
): { after: SQL | undefined; order: SQL[] } => {
  const position = decodeCursor(cursor, ['date', 'id']);
  return {
    after: position && or(lt(time, position[0]), and(eq(time, position[0]), lt(id, position[1]))),
    order: [desc(time), desc(id)],
  };
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
