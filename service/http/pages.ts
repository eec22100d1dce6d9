/** Lists a page at a time: `limit` and `cursor` in, `{data, next_cursor}` out. */
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

/** Where the last page ended: the values its rows are sorted by. */
export type Position = (string | number)[];

/** One row more than asked for was read, to see whether there is another page. */
export const page = <Row, Item>(
  rows: Row[],
  limit: number,
  show: (row: Row) => Item,
  position: (row: Row) => Position,
): { data: Item[]; next_cursor: string | null } => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(show),
    next_cursor: rows.length > limit && last ? encode(position(last)) : null,
  };
};

/** A list by time, newest first: where the page after a cursor begins, and the order that makes it so. */
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

/** Cursors are ours: one that does not read back is refused rather than guessed at. */
export const decodeCursor = <const Kinds extends readonly ('date' | 'id' | 'number')[]>(
  cursor: string | undefined,
  kinds: Kinds,
):
  | { [At in keyof Kinds]: Kinds[At] extends 'number' ? number : Kinds[At] extends 'date' ? Date : string }
  | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown;
    if (Array.isArray(values) && values.length === kinds.length) {
      const read = kinds.map((kind, at) => readValue(kind, values[at]));
      if (read.every((value) => value !== undefined)) return read as never;
    }
  } catch {
    // Refused below, like any other cursor that is not one of ours.
  }
  throw invalid('cursor', 'invalid_cursor', 'Pass next_cursor back unchanged.');
};

const readValue = (kind: 'date' | 'id' | 'number', value: unknown): Date | string | number | undefined => {
  if (kind === 'number') return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'string' || value.includes('\0')) return undefined;
  if (kind === 'id') return value;
  return Number.isNaN(Date.parse(value)) ? undefined : new Date(value);
};
