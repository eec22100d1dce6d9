/**
 * Locks of rows. Transactions that lock several rows do it in one order, or two of them can wait for each other until PostgreSQL
 * ends one with an error: the agent before its sources and actions, a source before its chunks, and the conversation before its
 * ticket and its contact.
 */
import { asc, eq, inArray } from 'drizzle-orm';
import type { Db } from './database.ts';
import { actions, agents, contacts, conversations, sources, workspaces } from './schema.ts';

export const lockWorkspace = async (tx: Db, id: string): Promise<void> => {
  await tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.id, id)).for('no key update');
};

export const lockAgent = async (tx: Db, id: string): Promise<void> => {
  await tx.select({ id: agents.id }).from(agents).where(eq(agents.id, id)).for('no key update');
};

export const lockConversations = async (tx: Db, ids: string[]): Promise<void> => {
  await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(inArray(conversations.id, ids))
    .orderBy(asc(conversations.id))
    .for('no key update');
};

/**
 * Until the transaction ends, the source is not deleted, which would delete its chunks in another order, and no other of its chunks
 * are published.
 */
export const keepSource = async (tx: Db, id: string): Promise<void> => {
  await tx.select({ id: sources.id }).from(sources).where(eq(sources.id, id)).for('share');
};

/**
 * Returns false when the action is deleted. Otherwise it stays until the transaction ends. A turn takes seconds, and what it
 * began with may be gone at its end.
 */
export const keepAction = async (tx: Db, id: string): Promise<boolean> => {
  const found = await tx.select({ id: actions.id }).from(actions).where(eq(actions.id, id)).for('key share');
  return found.length > 0;
};

/** Returns false when the contact is deleted. Otherwise it stays until the transaction ends. */
export const keepContact = async (tx: Db, id: string): Promise<boolean> => {
  const found = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, id)).for('key share');
  return found.length > 0;
};
