/** Kinds of column that several tables share. */
import { customType, jsonb, text, timestamp } from 'drizzle-orm/pg-core';

export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** What a campaign put into the address of the first page of a visit. */
export type Utm = Partial<Record<'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content', string>>;

/** Where a visitor came from: of a conversation, and of the lead that it became. */
export const cameFrom = () => ({
  utm: jsonb().$type<Utm>().notNull().default({}),
  /** Scheme, host and path of the page that led to the visit; empty when none did. */
  referrer: text().notNull().default(''),
});

/** Milliseconds, because a page cursor made from microseconds read back as milliseconds would skip rows. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
