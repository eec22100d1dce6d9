/** Finds what belongs to a contact: the conversations, leads and tickets from which all other rows follow. */
import { and, eq, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import { textArray, type Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { lockConversations } from '../db/row-locks.ts';
import { agents, conversations, events, idempotencyKeys, leads, submissions, tickets } from '../db/schema.ts';
import { lockContacts } from './contacts.ts';

export interface Traces {
  conversationIds: string[];
  /** Further conversations, in which somebody claimed to be the contact. Nothing trusts a claim, so only the claim is the contact's. */
  claimIds: string[];
  leadIds: string[];
  ticketIds: string[];
}

/**
 * Returns what belongs to a contact, after locking it until the transaction ends. A turn that links its conversation to the
 * contact at the same time does so either before, and the conversation is among them, or after the deletion.
 */
export const lockTraces = async (tx: Db, contact: Contact): Promise<Traces> => {
  const { conversationIds, claimIds } = await tracesOf(tx, contact);
  await lockConversations(tx, [...conversationIds, ...claimIds]);
  await lockContacts(tx, contact.workspaceId);
  return tracesOf(tx, contact);
};

export const tracesOf = async (tx: Db, contact: Contact): Promise<Traces> => {
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
  const found = [...new Set(conversationIds.filter((each) => each !== null))];
  return {
    conversationIds: found,
    claimIds: (await claimsOf(tx, contact)).filter((claimed) => !found.includes(claimed)),
    leadIds: ownLeads.map((each) => each.id),
    ticketIds: await ticketsOf(tx, id, found),
  };
};

const claimsOf = async (tx: Db, contact: Contact): Promise<string[]> => {
  const { workspaceId, externalId } = contact;
  const isExternalId = externalId === null ? undefined : sql`${conversations.claim} ->> 'externalId' = ${externalId}`;
  const found = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(
      and(
        eq(conversations.workspaceId, workspaceId),
        isNotNull(conversations.claim),
        or(isExternalId, hasKeyOf(contact, sql`${conversations.claim}`)),
        notOfAnother(contact, sql`${conversations.id}`),
      ),
    );
  return found.map(({ id }) => id);
};

/** Whether a JSON object has a value by which the contact is found: its e-mail address or its phone number. */
export const hasKeyOf = ({ emailKey: email, phoneKey: phone }: Contact, object: SQL): SQL => {
  const digits = sql`regexp_replace(regexp_replace(value, '\\D', '', 'g'), '^00', '')`;
  const isKey = or(
    email === null ? undefined : sql`lower(trim(value)) = ${email}`,
    phone === null ? undefined : sql`${digits} = ${phone}`,
  );
  const members = sql`jsonb_each_text(case jsonb_typeof(${object}) when 'object' then ${object} else '{}' end)`;
  return isKey ? sql`exists (select 1 from ${members} where ${isKey})` : sql`false`;
};

/** Whether a conversation belongs to no other contact, who may have written down a number of this one. */
export const notOfAnother = ({ id }: Contact, conversationId: SQL): SQL => sql`not exists
  (select 1 from ${conversations} as other where other.id = ${conversationId} and other.contact_id <> ${id})
  and not exists
  (select 1 from ${leads} as other where other.conversation_id = ${conversationId} and other.contact_id <> ${id})`;

const ticketsOf = async (tx: Db, contactId: string, conversationIds: string[]): Promise<string[]> => {
  const found = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(or(eq(tickets.contactId, contactId), inArray(tickets.conversationId, conversationIds)));
  return found.map(({ id }) => id);
};

export const memberOf = (member: string) => sql<string>`${events.data} ->> ${member}`;

/** The saved responses of calls that contain one of the ids. */
export const savedResponsesOf = (ids: string[]): SQL =>
  sql`${idempotencyKeys.response} like any(${textArray(ids.map((id) => `%"${id}"%`))})`;
