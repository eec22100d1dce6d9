/** Kinds of column that several tables share. */
import { customType, timestamp } from 'drizzle-orm/pg-core';

export type Language = 'en' | 'ar';

export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Milliseconds, because a page cursor made from microseconds read back as milliseconds would skip rows. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
