/**
 * Deletes a contact, as the contract describes it: the conversations stay, unlinked, and what was stored about the contact's
 * identity in other resources is anonymized. `erase-contact.ts` also deletes what the contact wrote.
 */
import { and, eq, gte, inArray, like, or, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { ApiError } from '../core/errors.ts';
import { clockDifferenceMs } from '../db/clock.ts';
import type { Db } from '../db/database.ts';
import type { Contact, Lead } from '../db/records.ts';
import { conversations, events, idempotencyKeys, submissions } from '../db/schema.ts';
import { emailKey, phoneKey, removeContact } from './contacts.ts';
import { hasKeyOf, lockTraces, memberOf, notOfAnother, savedResponsesOf, type Traces } from './traces.ts';

/** @throws {ApiError} `insufficient_scope` for a contact with leads, unless they may be deleted too. */
export const deleteContact = async (tx: Db, contact: Contact, mayDeleteLeads: boolean): Promise<void> => {
  const traces = await lockTraces(tx, contact);
  if (traces.leadIds.length > 0 && !mayDeleteLeads) {
    throw new ApiError('insufficient_scope', { required_scope: 'leads:write' });
  }
  await anonymizeSubmissions(tx, contact, traces);
  await anonymizeEvents(tx, contact, traces);
  const claimed = [...traces.conversationIds, ...traces.claimIds];
  await tx.update(conversations).set({ claim: null }).where(inArray(conversations.id, claimed));
  await tx.delete(idempotencyKeys).where(savedResponsesOf([contact.id, ...traces.leadIds]));
  // The database deletes the leads and the notes, and unlinks the conversations and the tickets.
  await removeContact(tx, contact);
};

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

/** Empties the stored events of a lead that is deleted. */
export const anonymizeLead = async (tx: Db, { id, workspaceId, createdAt }: Lead): Promise<void> => {
  const isOfLead = and(like(events.type, 'lead.%'), eq(memberOf('id'), id));
  // Another process may have stored a change with a clock that is behind.
  const earliest = new Date(createdAt.getTime() - clockDifferenceMs);
  await tx
    .update(events)
    .set({ data: sql`${events.data} || ${JSON.stringify(anonymousLead)}::jsonb` })
    .where(and(eq(events.workspaceId, workspaceId), gte(events.createdAt, earliest), isOfLead));
};

const anonymousLead = { name: null, contact: null, notes: null, data: {} };

const anonymousPayload = (type: string, data: JsonObject, contact: Contact): JsonObject => {
  if (type === 'form.submitted') return { ...data, data: withoutIdentity(data['data'] as JsonObject, contact) };
  if (type === 'contact.created') return { ...data, external_id: null, name: '', email: '', phone: '', attributes: {} };
  return { ...data, ...anonymousLead };
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
