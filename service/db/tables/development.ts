/** The state of the development mode, which processes of one database share. */
import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';

/** How far the team has moved the time. One row at most. */
export const clockOffset = pgTable('clock_offset', {
  id: integer().primaryKey(),
  milliseconds: bigint({ mode: 'number' }).notNull(),
});
