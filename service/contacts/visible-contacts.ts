/** The contacts that an API key may see. */
import { and, eq, exists, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { KeyAccess } from '../core/key-access.ts';
import { textArray, type Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { requireRow } from '../db/require-row.ts';
import { contactAgents, contacts, conversations, leads } from '../db/schema.ts';

/** A key that is limited to some agents sees the contacts with a conversation or a lead of those agents. */
export const isVisible = (db: Db, { workspaceId, agentIds }: KeyAccess): SQL | undefined => {
  const inWorkspace = eq(contacts.workspaceId, workspaceId);
  if (agentIds === null) return inWorkspace;
  const ownConversations = db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.contactId, contacts.id), inArray(conversations.agentId, agentIds)));
  const ownLeads = db
    .select({ id: leads.id })
    .from(leads)
    .where(and(eq(leads.contactId, contacts.id), inArray(leads.agentId, agentIds)));
  return and(inWorkspace, or(exists(ownConversations), exists(ownLeads)));
};

/** @throws {ApiError} `not_found` for a contact that the key may not see. */
export const findContact = (db: Db, key: KeyAccess, id: string): Promise<Contact> => {
  const isContact = and(isVisible(db, key), eq(contacts.id, id));
  return requireRow(db.select().from(contacts).where(isContact));
};

/**
 * The links of contacts to some agents, as the table `linked`. PostgreSQL merges the indexed rows of the agents and reads
 * only those of the page.
 */
export const linkedContacts = (agentIds: string[], after: SQL | undefined): SQL => {
  const ofAgents = agentIds.map((id) => {
    return sql`(select * from ${contactAgents} where ${and(eq(contactAgents.agentId, id), after)}
      order by last_seen_at desc, contact_id desc)`;
  });
  return sql`(${sql.join(ofAgents, sql` union all `)}) as linked`;
};

/** Whether a row of `linked` is the only one of its contact, or the first by agent. */
export const isFirstLink = (agentIds: string[]): SQL => {
  return sql`not exists (select from ${contactAgents} as other where other.contact_id = linked.contact_id
    and other.agent_id = any(${textArray(agentIds)}) and other.agent_id < linked.agent_id)`;
};
