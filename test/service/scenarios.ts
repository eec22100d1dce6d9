/** Situations that the tests of several files begin with. */
import { eq, sql } from 'drizzle-orm';
import { conversations } from '../../service/db/schema.ts';
import type { Db } from '../../service/service.ts';
import type { TestService } from './support.ts';

/** The text of a submitted form of the demo, for a custom order. */
export const orderText = (fields: Record<string, string | number> = {}): string =>
  Object.entries({ Name: 'Huda', Phone: '92223333', 'What to make': 'Tiles', 'How many': 1, ...fields })
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n');

/** Has a visitor ask for a custom order and submit its form. Returns the response to the form. */
export const submitOrder = async (
  tested: TestService,
  text = orderText(),
  { key = tested.service.demo.secretKey, ...more }: { key?: string; contact?: object; conversation_id?: string } = {},
) => {
  const { conversation_id } = (await tested.chat('I want a custom order', { key, ...(more as object) })).body;
  return (await tested.chat(text, { key, ...(more as object), conversation_id })).body;
};

/** Starts a conversation, and links it to a contact as if the visitor had proven it. Returns its id. */
export const conversationOf = async (tested: TestService, contactId: string, text = 'Hello'): Promise<string> => {
  const { conversation_id } = (await tested.chat(text, { key: tested.service.demo.secretKey })).body;
  await tested.set(conversations, { contactId }, eq(conversations.id, conversation_id));
  return conversation_id;
};

/**
 * Makes the database reject changes, such as `insert on messages`.
 * @param condition Selects the rows by `new` or `old`. The default is all.
 * @returns A function that accepts the changes again.
 */
export const rejectChanges = async (db: Db, change: string, condition = 'true'): Promise<() => Promise<unknown>> => {
  const body = `'begin raise data_corrupted; end'`;
  await db.execute(sql.raw(`create function reject() returns trigger language plpgsql as ${body}`));
  await db.execute(
    sql.raw(`create trigger reject before ${change} for each row when (${condition}) execute function reject()`),
  );
  return async () => db.execute(sql`drop function reject cascade`);
};
