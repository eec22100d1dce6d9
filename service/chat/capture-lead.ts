/** Creates a lead from a submitted form. */
import { and, eq, isNull } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { lockContacts, matchContact, saveContact } from '../contacts/contacts.ts';
import { newId } from '../core/ids.ts';
import { textIn, type Language } from '../core/language.ts';
import type { Db } from '../db/database.ts';
import type { Contact, Conversation } from '../db/records.ts';
import { bookings, conversations, leads } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import type { Action } from '../replies/reply-source.ts';
import { serializeLead } from '../resources/lead.ts';

interface SubmittedLead {
  action: Action;
  data: JsonObject;
  language: Language;
  at: Date;
  contact: Contact | undefined;
}

export const captureLead = async (
  tx: Db,
  conversation: Conversation,
  { action, data, language, at, contact }: SubmittedLead,
): Promise<void> => {
  const { workspaceId, agentId } = conversation;
  const title = action.config['title'] as string | Record<Language, string> | undefined;
  const owner = contact ?? (await contactFromForm(tx, conversation, data, at));
  const [lead] = await tx
    .insert(leads)
    .values({
      id: newId('lead'),
      workspaceId,
      agentId,
      conversationId: conversation.id,
      contactId: owner?.id ?? null,
      name: textOf(data['name']),
      contact: textOf(data['email']) ?? textOf(data['phone']),
      interest: textOf(data['interest']) ?? (title === undefined ? null : textIn(title, language)),
      channel: conversation.channel,
      utm: conversation.utm,
      referrer: conversation.referrer,
      data,
      createdAt: at,
    })
    .returning();
  await tx.update(conversations).set({ leadCaptured: true }).where(eq(conversations.id, conversation.id));
  await tx
    .update(bookings)
    .set({ leadId: lead!.id })
    .where(and(eq(bookings.conversationId, conversation.id), isNull(bookings.leadId)));
  await emit(tx, { workspaceId, agentId, type: 'lead.created', data: serializeLead(lead!), at });
};

/** Form values are no proof of identity: they may create a contact, but never change an existing one. */
const contactFromForm = async (tx: Db, { workspaceId, agentId }: Conversation, data: JsonObject, at: Date) => {
  const profile = {
    name: textOf(data['name']) ?? '',
    email: textOf(data['email']) ?? '',
    phone: textOf(data['phone']) ?? '',
  };
  if (profile.email === '' && profile.phone === '') return undefined;
  await lockContacts(tx, workspaceId);
  const found = await matchContact(tx, workspaceId, profile);
  if (found) return found;
  return (await saveContact(tx, profile, { workspaceId, agentId, source: 'lead', at })).contact;
};

const textOf = (value: unknown): string | null => {
  return typeof value === 'string' && value !== '' ? value : null;
};
