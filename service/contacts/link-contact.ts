/** Links a conversation to the contact that its visitor has proven to be, or stores an unproven claim. */
import { and, desc, eq } from 'drizzle-orm';
import { contacts, conversations, memories } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import type { Contact, Conversation } from '../db/records.ts';
import { ApiError } from '../core/errors.ts';
import { saveContact } from './contacts.ts';
import type { Identity } from './identity.ts';

const maxNotes = 3;

/** @throws {ApiError} `identity_mismatch` when the conversation belongs to another contact. */
export const requireSameContact = async (
  db: Db,
  conversation: Conversation,
  { isProven, profile: { externalId } }: Identity,
): Promise<void> => {
  if (!isProven || conversation.contactId === null) return;
  const [contact] = await db.select().from(contacts).where(eq(contacts.id, conversation.contactId));
  if (contact && contact.externalId !== externalId) throw new ApiError('identity_mismatch');
};

/** Returns the contact, or undefined when the identity is not proven. */
export const linkContact = async (
  { db, now }: DatabaseContext,
  conversation: Conversation,
  { isProven, profile, unproven }: Identity,
): Promise<Contact | undefined> => {
  const { workspaceId, agentId, id } = conversation;
  return inTurn(db, conversation, async (tx) => {
    if (!isProven) {
      await tx
        .update(conversations)
        .set({ claim: { ...profile } })
        .where(eq(conversations.id, id));
      return undefined;
    }
    const origin = { workspaceId, agentId, source: 'identify', at: new Date(now()) } as const;
    const { contact } = await saveContact(tx, profile, origin, true);
    await tx
      .update(conversations)
      .set({ contactId: contact.id, ...(unproven.name || unproven.email ? { claim: { ...unproven } } : {}) })
      .where(eq(conversations.id, id));
    return contact;
  });
};

/** Returns the summaries of the contact's earlier conversations with the agent, newest first. */
export const contactNotes = async (db: Db, contactId: string, agentId: string): Promise<string[]> => {
  const found = await db
    .select({ summary: memories.summary })
    .from(memories)
    .where(and(eq(memories.contactId, contactId), eq(memories.agentId, agentId)))
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(maxNotes);
  return found.map(({ summary }) => summary);
};
