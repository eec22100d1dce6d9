/** Keeps what a visitor's answers come to: submissions, leads and bookings, each with all that follows from it. */
import { and, eq, isNull } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Action, ReplyEffects } from '../replies/reply-source.ts';
import type { Language } from '../core/language.ts';
import { bookings, conversations, leads, submissions } from '../db/schema.ts';
import type { Db } from '../db/open.ts';
import { recordCall, runAction } from '../actions/calls.ts';
import { emit } from '../events/emit.ts';
import type { Dependencies } from '../http/environment.ts';
import { newId } from '../core/ids.ts';
import { lockContacts, matchContact, saveContact } from '../contacts/contacts.ts';
import type { Contact } from '../resources/contact.ts';
import { serialiseLead } from '../resources/lead.ts';
import { serialiseSubmission } from '../resources/submission.ts';
import { knownLeadValues } from './lead-fields.ts';
import { requestHandoff, type Conversation } from './conversations.ts';

export const createReplyEffects = (
  dependencies: Dependencies,
  conversation: Conversation,
  language: Language,
  contact: Contact | undefined,
): ReplyEffects => {
  const { db } = dependencies;
  const at = () => new Date(dependencies.now());

  return {
    async submission(action, formMessageId, data) {
      await db.transaction(async (tx) => {
        const kept = await tx
          .insert(submissions)
          .values({
            id: newId('sub'),
            agentId: conversation.agentId,
            actionId: action.id,
            conversationId: conversation.id,
            formMessageId,
            data,
            createdAt: at(),
          })
          .onConflictDoNothing()
          .returning();
        const [submission] = kept;
        if (!submission) return;
        await recordCall(tx, action, conversation, { outcome: 'worked', inputs: Object.keys(data) }, at());
        const { workspaceId, agentId } = conversation;
        const shown = serialiseSubmission({ submission, action: { id: action.id, name: action.name } });
        await emit(tx, { workspaceId, agentId, type: 'form.submitted', data: shown, at: at() });
        if (action.config['lead'] === true) {
          await captureLead(tx, conversation, {
            action,
            data: { ...knownLeadValues(contact), ...data },
            language,
            at: at(),
            contact,
          });
        }
      });
    },

    async booking(action, startsAt, endsAt) {
      const [lead] = await db.select({ id: leads.id }).from(leads).where(eq(leads.conversationId, conversation.id));
      const booked = await db
        .insert(bookings)
        .values({
          id: newId('bkg'),
          actionId: action.id,
          conversationId: conversation.id,
          leadId: lead?.id ?? null,
          startsAt,
          endsAt,
          createdAt: at(),
        })
        .onConflictDoNothing()
        .returning({ id: bookings.id });
      // Asked again by whom it was promised to: the promise holds.
      const [holder] = await db
        .select({ conversationId: bookings.conversationId })
        .from(bookings)
        .where(and(eq(bookings.actionId, action.id), eq(bookings.startsAt, startsAt)));
      if (booked.length === 0 && holder?.conversationId === conversation.id) return true;
      const vendor = action.config['vendor'];
      const detail = typeof vendor === 'string' ? { vendor } : {};
      const outcome =
        booked.length > 0 ? { outcome: 'worked' as const } : { outcome: 'failed' as const, reason: 'closed' };
      const call = { ...outcome, inputs: ['start'], detail };
      await db.transaction((tx) => recordCall(tx, action, conversation, call, at()));
      return booked.length > 0;
    },

    run: (action, args) => runAction(dependencies, action.id, args, conversation, contact),

    async requestHandoff() {
      await requestHandoff(dependencies, conversation.id);
    },
  };
};

interface Captured {
  action: Action;
  data: JsonObject;
  language: Language;
  at: Date;
  contact: Contact | undefined;
}

const captureLead = async (tx: Db, conversation: Conversation, { action, data, language, at, contact }: Captured) => {
  const title = action.config['title'] as Record<Language, string> | undefined;
  const person = contact ?? (await personOf(tx, conversation, data, at));
  const [lead] = await tx
    .insert(leads)
    .values({
      id: newId('lead'),
      workspaceId: conversation.workspaceId,
      agentId: conversation.agentId,
      conversationId: conversation.id,
      contactId: person?.id ?? null,
      name: text(data['name']),
      contact: text(data['email']) ?? text(data['phone']),
      interest: text(data['interest']) ?? title?.[language] ?? null,
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
  const { workspaceId, agentId } = conversation;
  await emit(tx, { workspaceId, agentId, type: 'lead.created', data: serialiseLead(lead!), at });
};

/** Whom the details belong to. What a visitor typed is no proof: it makes a contact, but changes none. */
const personOf = async (tx: Db, { workspaceId, agentId }: Conversation, data: JsonObject, at: Date) => {
  const known = { name: text(data['name']) ?? '', email: text(data['email']) ?? '', phone: text(data['phone']) ?? '' };
  if (known.email === '' && known.phone === '') return undefined;
  await lockContacts(tx, workspaceId);
  const found = await matchContact(tx, workspaceId, known);
  if (found) return found;
  return (await saveContact(tx, known, { workspaceId, agentId, source: 'lead', at })).contact;
};

const text = (value: unknown): string | null => {
  return typeof value === 'string' && value !== '' ? value : null;
};
