/** Erases a contact with everything that the person wrote. `personal-data.ts` lists the rows. */
import { eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { conversations, contacts } from '../db/schema.ts';
import { passKeysOn } from './contacts.ts';
import { personalRows } from './personal-data.ts';
import { lockTraces } from './traces.ts';

export const eraseContact = async (tx: Db, contact: Contact): Promise<void> => {
  const traces = await lockTraces(tx, contact);
  const [current] = await tx.select().from(contacts).where(eq(contacts.id, contact.id));
  for (const { table, where, emptied } of personalRows(contact, traces)) {
    if (emptied) await tx.update(conversations).set(emptied).where(where);
    else await tx.delete(table).where(where);
  }
  if (current) await passKeysOn(tx, current);
};
