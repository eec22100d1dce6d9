/** Erases a contact with everything that the person wrote. `personal-data.ts` lists the rows. */
import { eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { conversations, contacts } from '../db/schema.ts';
import { passKeysOn } from './contacts.ts';
import { personalRows } from './personal-data.ts';
import { lockTraces, tracesOf } from './traces.ts';

export const eraseContact = async (tx: Db, contact: Contact): Promise<void> => {
  const traces = await tracesOf(tx, contact);
  await lockTraces(tx, contact, traces);
  const [current] = await tx.select().from(contacts).where(eq(contacts.id, contact.id));
  for (const { table, where } of personalRows(contact, traces)) {
    if (table === conversations) await tx.update(conversations).set(emptyConversation).where(where);
    else await tx.delete(table).where(where);
  }
  if (current) await passKeysOn(tx, current);
};

/**
 * An empty conversation stays, because lists and the counts of an agent include it. A turn in flight loses its lease, so that it
 * stores nothing.
 */
const emptyConversation = {
  state: 'closed' as const,
  tokenHash: null,
  claim: null,
  summary: null,
  pageUrl: null,
  utm: {},
  referrer: '',
  turnHolder: null,
  turnUntil: null,
};
