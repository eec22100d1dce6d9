/** Links a conversation to the contact its visitor has proven to be, or keeps what its page merely says. */
import { and, desc, eq } from 'drizzle-orm';
import { contacts, conversations, memories } from '../db/schema.ts';
import type { Db } from '../db/open.ts';
import type { Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import type { Contact } from '../resources/contact.ts';
import { saveContact } from './contacts.ts';
import type { Identity } from './identity.ts';

type Conversation = typeof conversations.$inferSelect;

const remembered = 3;

/** A conversation proven to be one person's is not continued by another. */
export const requireSameContact = async (
  db: Db,
  conversation: Conversation,
  { proven, known }: Identity,
): Promise<void> => {
  if (!proven || conversation.contactId === null) return;
  const [contact] = await db.select().from(contacts).where(eq(contacts.id, conversation.contactId));
  if (contact && contact.externalId !== known.externalId) throw new ApiError('identity_mismatch');
};

export const linkContact = async (
  { db, now }: Dependencies,
  conversation: Conversation,
  { proven, known, beside }: Identity,
): Promise<Contact | undefined> => {
  if (!proven) {
    await db
      .update(conversations)
      .set({ claim: { ...known } })
      .where(eq(conversations.id, conversation.id));
    return undefined;
  }
  return db.transaction(async (tx) => {
    const { workspaceId, agentId, id } = conversation;
    const saving = { workspaceId, agentId, source: 'identify', at: new Date(now()) } as const;
    const { contact } = await saveContact(tx, known, saving, true);
    await tx
      .update(conversations)
      .set({ contactId: contact.id, ...(beside.name || beside.email ? { claim: { ...beside } } : {}) })
      .where(eq(conversations.id, id));
    return contact;
  });
};

/** What the agent remembers of a contact's earlier conversations, newest first. */
export const contactNotes = async (db: Db, contactId: string, agentId: string): Promise<string[]> => {
  const found = await db
    .select({ summary: memories.summary })
    .from(memories)
    .where(and(eq(memories.contactId, contactId), eq(memories.agentId, agentId)))
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(remembered);
  return found.map(({ summary }) => summary);
};
