/** Column types that several tables share. */
import { customType, timestamp } from 'drizzle-orm/pg-core';
import { storableJson, withoutNul } from '../../core/storable.ts';

/** A column of the type `text`, into which any text can be written. */
export const text = customType<{ data: string }>({ dataType: () => 'text', toDriver: withoutNul });

/** A column of the type `jsonb`, into which any JSON value can be written. */
export const jsonb = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: storableJson,
});

export const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** The campaign parameters in the URL of the first page of a visit. */
export type Utm = Partial<Record<'utm_source' | 'utm_medium' | 'utm_campaign' | 'utm_term' | 'utm_content', string>>;

/** The origin of a visit, for conversations and leads. */
export const originColumns = () => ({
  utm: jsonb().$type<Utm>().notNull().default({}),
  /** Scheme, host and path of the referring page, or an empty text. */
  referrer: text().notNull().default(''),
});

/** A time with milliseconds. With microseconds, a page cursor would lose precision and skip rows. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
