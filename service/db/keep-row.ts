/**
 * Locks a row that others may delete in the meantime, so that rows which refer to it can be stored. A turn takes seconds, and what
 * it began with may be gone at its end.
 */
import { eq } from 'drizzle-orm';
import type { Db } from './database.ts';
import { actions, contacts } from './schema.ts';

/** Returns false when the action is deleted. Otherwise it stays until the transaction ends. */
export const keepAction = async (tx: Db, id: string): Promise<boolean> => {
  const found = await tx.select({ id: actions.id }).from(actions).where(eq(actions.id, id)).for('key share');
  return found.length > 0;
};

/** Returns false when the contact is deleted. Otherwise it stays until the transaction ends. */
export const keepContact = async (tx: Db, id: string): Promise<boolean> => {
  const found = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id)).for('key share');
  return found.length > 0;
};
