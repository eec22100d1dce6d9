/** The contacts that an API key may see. */
import { and, eq, exists, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { KeyAccess } from '../core/key-access.ts';
import type { Db } from '../db/database.ts';
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

/** The contacts that some agents have known, each once, as the table `linked` with `last_seen_at` and `contact_id`. */
export const linkedContacts = (agentIds: string[], after: SQL | undefined): SQL => {
  const ofAgents = agentIds.map((id) => {
    const condition = and(eq(contactAgents.agentId, id), after);
    return sql`(select last_seen_at, contact_id from ${contactAgents} where ${condition})`;
  });
  return sql`(select distinct last_seen_at, contact_id from (${sql.join(ofAgents, sql` union all `)}) as every_agent
    order by last_seen_at desc, contact_id desc) as linked`;
};
