/**
 * Deletes a contact. `deleteContact` is the operation of the contract: the conversations stay, unlinked, and what was
 * stored about the contact's identity in other resources is anonymized. `eraseContact` also deletes what the contact wrote.
 */
import { and, eq, inArray, like, or, sql, type SQL } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { lockConversations } from '../db/row-locks.ts';
import {
  actionCalls,
  agents,
  bookings,
  contacts,
  conversations,
  events,
  idempotencyKeys,
  leads,
  messages,
  submissions,
  tickets,
  toolCalls,
} from '../db/schema.ts';
import { emailKey, lockContacts, passKeysOn, phoneKey } from './contacts.ts';

/** The rows that belong to a contact. */
interface Traces {
  conversationIds: string[];
  leadIds: string[];
}

export const deleteContact = async (tx: Db, contact: Contact): Promise<void> => {
  const traces = await tracesOf(tx, contact);
  await lockTraces(tx, contact, traces);
  await anonymizeSubmissions(tx, contact, traces);
  await anonymizeEvents(tx, contact, traces);
  await tx.update(conversations).set({ claim: null }).where(inArray(conversations.id, traces.conversationIds));
  await deleteReplays(tx, [contact.id, ...traces.leadIds]);
  // The database deletes the leads and the notes, and unlinks the conversations and the tickets.
  await removeContact(tx, contact);
};

export const eraseContact = async (tx: Db, contact: Contact): Promise<void> => {
  const traces = await tracesOf(tx, contact);
  const { conversationIds, leadIds } = traces;
  await lockTraces(tx, contact, traces);
  const ticketIds = await tx
    .delete(tickets)
    .where(or(eq(tickets.contactId, contact.id), inArray(tickets.conversationId, conversationIds)))
    .returning({ id: tickets.id });
  await tx.delete(submissions).where(inArray(submissions.conversationId, conversationIds));
  await tx.delete(bookings).where(inArray(bookings.conversationId, conversationIds));
  await tx.delete(actionCalls).where(inArray(actionCalls.conversationId, conversationIds));
  await tx.delete(toolCalls).where(inArray(toolCalls.conversationId, conversationIds));
  await tx.delete(messages).where(inArray(messages.conversationId, conversationIds));
  const ids = [contact.id, ...conversationIds, ...leadIds, ...ticketIds.map(({ id }) => id)];
  await deleteEvents(tx, contact.workspaceId, ids);
  await deleteReplays(tx, ids);
  // An empty conversation stays, because the monthly quota counts it. A turn in flight loses its lease, so that it stores nothing.
  await tx
    .update(conversations)
    .set({
      state: 'closed',
      tokenHash: null,
      claim: null,
      summary: null,
      pageUrl: null,
      utm: {},
      referrer: '',
      turnHolder: null,
      turnUntil: null,
    })
    .where(inArray(conversations.id, conversationIds));
  await removeContact(tx, contact);
};

const removeContact = async (tx: Db, contact: Contact): Promise<void> => {
  const [removed] = await tx.delete(contacts).where(eq(contacts.id, contact.id)).returning();
  if (removed) await passKeysOn(tx, removed);
};

/** Deletes the saved responses of calls that contain one of the ids. */
const deleteReplays = async (tx: Db, ids: string[]): Promise<void> => {
  for (const id of ids) await tx.delete(idempotencyKeys).where(like(idempotencyKeys.response, `%"${id}"%`));
};

/** A turn that saves its contact at the same time finds it either before or after the deletion. */
const lockTraces = async (tx: Db, { workspaceId }: Contact, { conversationIds }: Traces): Promise<void> => {
  await lockConversations(tx, conversationIds);
  await lockContacts(tx, workspaceId);
};

const tracesOf = async (tx: Db, contact: Contact): Promise<Traces> => {
  const { id, workspaceId } = contact;
  const ownLeads = await tx
    .select({ id: leads.id, conversationId: leads.conversationId })
    .from(leads)
    .where(eq(leads.contactId, id));
  const linked = await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.contactId, id));
  // A form may create no lead, and a lead may have been deleted before.
  const submitted = await tx
    .select({ id: submissions.conversationId })
    .from(submissions)
    .innerJoin(agents, eq(agents.id, submissions.agentId))
    .where(
      and(
        eq(agents.workspaceId, workspaceId),
        hasKeyOf(contact, sql`${submissions.data}`),
        notOfAnother(contact, sql`${submissions.conversationId}`),
      ),
    );
  const conversationIds = [...linked, ...submitted, ...ownLeads.map((each) => ({ id: each.conversationId }))].map(
    (each) => each.id,
  );
  return {
    conversationIds: [...new Set(conversationIds.filter((each) => each !== null))],
    leadIds: ownLeads.map((each) => each.id),
  };
};

/** Whether a JSON object has a value by which the contact is found: its e-mail address or its phone number. */
const hasKeyOf = ({ emailKey: email, phoneKey: phone }: Contact, object: SQL): SQL => {
  const digits = sql`regexp_replace(regexp_replace(value, '\\D', '', 'g'), '^00', '')`;
  const isKey = or(
    email === null ? undefined : sql`lower(trim(value)) = ${email}`,
    phone === null ? undefined : sql`${digits} = ${phone}`,
  );
  const members = sql`jsonb_each_text(case jsonb_typeof(${object}) when 'object' then ${object} else '{}' end)`;
  return isKey ? sql`exists (select 1 from ${members} where ${isKey})` : sql`false`;
};

/** Whether a conversation belongs to no other contact, who may have written down a number of this one. */
const notOfAnother = ({ id }: Contact, conversationId: SQL): SQL => sql`not exists
  (select 1 from ${conversations} as other where other.id = ${conversationId} and other.contact_id <> ${id})
  and not exists
  (select 1 from ${leads} as other where other.conversation_id = ${conversationId} and other.contact_id <> ${id})`;

const anonymizeSubmissions = async (tx: Db, contact: Contact, { conversationIds }: Traces): Promise<void> => {
  const own = await tx.select().from(submissions).where(inArray(submissions.conversationId, conversationIds));
  for (const { id, data } of own) {
    await tx
      .update(submissions)
      .set({ data: withoutIdentity(data, contact) })
      .where(eq(submissions.id, id));
  }
};

/** Pending deliveries send the anonymized payload. */
const anonymizeEvents = async (tx: Db, contact: Contact, { conversationIds, leadIds }: Traces): Promise<void> => {
  const stored = await tx
    .select({ id: events.id, type: events.type, data: events.data })
    .from(events)
    .where(
      and(
        eq(events.workspaceId, contact.workspaceId),
        or(
          and(eq(events.type, 'contact.created'), eq(memberOf('id'), contact.id)),
          and(like(events.type, 'lead.%'), inArray(memberOf('id'), leadIds)),
          and(
            or(like(events.type, 'lead.%'), eq(events.type, 'form.submitted')),
            // The form and its submissions may have been deleted.
            or(
              inArray(memberOf('conversation_id'), conversationIds),
              and(
                hasKeyOf(contact, sql`(${events.data} -> 'data')`),
                notOfAnother(contact, memberOf('conversation_id')),
              ),
            ),
          ),
        ),
      ),
    );
  for (const { id, type, data } of stored) {
    await tx
      .update(events)
      .set({ data: anonymousPayload(type, data, contact) })
      .where(eq(events.id, id));
  }
};

const memberOf = (member: string) => sql<string>`${events.data} ->> ${member}`;

const anonymousPayload = (type: string, data: JsonObject, contact: Contact): JsonObject => {
  if (type === 'form.submitted') return { ...data, data: withoutIdentity(data['data'] as JsonObject, contact) };
  if (type === 'contact.created') return { ...data, external_id: null, name: '', email: '', phone: '', attributes: {} };
  return { ...data, name: null, contact: null, notes: null, data: {} };
};

const identityKey = /(^|_)(name|email|mail|phone|mobile|tel|contact|address)(_|$)/;
const emailOrPhone = /^(\S+@\S+\.\S+|\+?[\d\s()./-]{7,})$/;

/** Empties the values that name the contact: by their keys, by their form, and by the contact's own values. */
const withoutIdentity = (data: JsonObject, { externalId, name, email, phone }: Contact): JsonObject => {
  const isIdentity = (key: string, value: unknown): boolean => {
    if (typeof value !== 'string') return false;
    const text = value.trim();
    if (identityKey.test(key) || emailOrPhone.test(text)) return true;
    if (text === '') return false;
    const isPhone = phoneKey(text) !== null && phoneKey(text) === phoneKey(phone);
    return isPhone || [externalId, name, emailKey(email)].some((own) => own?.toLowerCase() === text.toLowerCase());
  };
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, isIdentity(key, value) ? '' : value]));
};

/** Deletes the events of the resources with these ids, and with them their deliveries. */
const deleteEvents = async (tx: Db, workspaceId: string, ids: string[]): Promise<void> => {
  await tx
    .delete(events)
    .where(
      and(
        eq(events.workspaceId, workspaceId),
        or(
          ...['id', 'conversation_id', 'contact_id', 'lead_id', 'ticket_id'].map((member) =>
            inArray(memberOf(member), ids),
          ),
        ),
      ),
    );
};
