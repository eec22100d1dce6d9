/** The ticket of a conversation: opened by a handoff request, and updated with each message. */
import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Conversation, Ticket } from '../db/records.ts';
import { keepContact } from '../db/row-locks.ts';
import { messages, tagRules, tickets, workspaces } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { newId } from '../core/ids.ts';
import { normalize } from '../knowledge/terms.ts';
import { plans } from '../core/plans.ts';
import { seconds, serializeTicket } from '../resources/ticket.ts';
import { shortened } from '../../contract/characters.ts';

const maxSubjectLength = 120;

export const ticketOf = async (tx: Db, conversationId: string): Promise<Ticket | undefined> => {
  const [ticket] = await tx.select().from(tickets).where(eq(tickets.conversationId, conversationId)).for('update');
  return ticket;
};

/** Opens or reopens the ticket. Returns undefined on a plan without the helpdesk. */
export const openHandoffTicket = async (tx: Db, conversation: Conversation, at: Date): Promise<Ticket | undefined> => {
  const ticket = await ticketOf(tx, conversation.id);
  if (!ticket) return openTicket(tx, conversation, 'handoff', at);
  const status = ticket.status === 'closed' || ticket.status === 'on_hold' ? 'on_you' : ticket.status;
  return updateTicket(tx, ticket, { status, handoffAt: at, ...reopened }, at);
};

const reopened = { closedAt: null, closedBy: null };

export const openTicket = async (tx: Db, conversation: Conversation, source: Ticket['source'], at: Date) => {
  const { id, workspaceId, agentId, channel, language } = conversation;
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!plans[workspace!.plan].helpdesk) return undefined;
  const [first] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, id), eq(messages.role, 'user')))
    .orderBy(asc(messages.position))
    .limit(1);
  const { contactId } = conversation;
  const hasContact = contactId !== null && (await keepContact(tx, contactId));
  const subject = shortened((first?.content ?? '').replace(/\s+/g, ' '), maxSubjectLength);
  const [ticket] = await tx
    .insert(tickets)
    .values({
      id: newId('tkt'),
      workspaceId,
      agentId,
      conversationId: id,
      contactId: hasContact ? contactId : null,
      status: 'new',
      subject,
      channel,
      language,
      source,
      tags: await tagsFor(tx, workspaceId, subject),
      handoffAt: source === 'handoff' ? at : null,
      lastCustomerMessageAt: conversation.lastMessageAt,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  await emit(tx, { workspaceId, agentId, type: 'ticket.created', data: serializeTicket(ticket!), at });
  return ticket!;
};

const tagsFor = async (tx: Db, workspaceId: string, subject: string): Promise<string[]> => {
  const rules = await tx.select().from(tagRules).where(eq(tagRules.workspaceId, workspaceId));
  const plain = normalize(subject);
  return [...new Set(rules.filter(({ words }) => plain.includes(normalize(words))).map(({ tag }) => tag))];
};

/** Moves the ticket to the team, even if it was closed. */
export const recordCustomerMessage = async (tx: Db, conversationId: string, at: Date): Promise<void> => {
  const ticket = await ticketOf(tx, conversationId);
  if (!ticket) return;
  if (ticket.status === 'new' || ticket.status === 'on_you') {
    await tx.update(tickets).set({ lastCustomerMessageAt: at }).where(eq(tickets.id, ticket.id));
    return;
  }
  await updateTicket(tx, ticket, { status: 'on_you', lastCustomerMessageAt: at, ...reopened }, at);
};

/** Moves the ticket to the customer, and opens one if there is none. */
export const recordTeamMessage = async (tx: Db, conversation: Conversation, at: Date): Promise<void> => {
  const ticket = (await ticketOf(tx, conversation.id)) ?? (await openTicket(tx, conversation, 'conversation', at));
  if (!ticket) return;
  const first = {
    firstResponseAt: ticket.firstResponseAt ?? at,
    firstResponseSeconds: ticket.firstResponseSeconds ?? seconds(ticket.handoffAt ?? ticket.createdAt, at),
  };
  await updateTicket(tx, ticket, { status: 'on_customer', lastAgentMessageAt: at, ...first, ...reopened }, at);
};

/** Updates a ticket and emits its events. */
export const updateTicket = async (tx: Db, ticket: Ticket, change: Partial<Ticket>, at: Date): Promise<Ticket> => {
  const [updated] = await tx
    .update(tickets)
    .set({ ...change, updatedAt: at })
    .where(eq(tickets.id, ticket.id))
    .returning();
  const { workspaceId, agentId } = ticket;
  const data = serializeTicket(updated!);
  await emit(tx, { workspaceId, agentId, type: 'ticket.updated', data, at });
  if (updated!.status === 'closed' && ticket.status !== 'closed') {
    await emit(tx, { workspaceId, agentId, type: 'ticket.closed', data, at });
  }
  return updated!;
};
