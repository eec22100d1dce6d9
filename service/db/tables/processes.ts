/** The processes of the service that share the database, and when each one was alive. */
import { pgTable } from 'drizzle-orm/pg-core';
import { moment, text } from './columns.ts';

export const processes = pgTable('processes', {
  id: text().primaryKey(),
  /** The time of the database server, so that differences between the clocks of machines do not matter. */
  seenAt: moment('seen_at').notNull(),
});
