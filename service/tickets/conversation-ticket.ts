/** A ticket follows its conversation: opened when a person is asked for, moved by whoever writes. */
import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { conversations, messages, tagRules, tickets, workspaces } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { newId } from '../core/ids.ts';
import { normalise } from '../knowledge/terms.ts';
import { plans } from '../core/plans.ts';
import { seconds, serialiseTicket, type Ticket } from '../resources/ticket.ts';

type Conversation = typeof conversations.$inferSelect;

const longestSubject = 120;

export const ticketOf = async (tx: Db, conversationId: string): Promise<Ticket | undefined> => {
  const [ticket] = await tx.select().from(tickets).where(eq(tickets.conversationId, conversationId)).for('update');
  return ticket;
};

/** A person is asked for; on a plan without the helpdesk there is no ticket. */
export const openHandoffTicket = async (tx: Db, conversation: Conversation, at: Date): Promise<Ticket | undefined> => {
  const ticket = await ticketOf(tx, conversation.id);
  if (!ticket) return openTicket(tx, conversation, 'handoff', at);
  const status = ticket.status === 'closed' || ticket.status === 'on_hold' ? 'on_you' : ticket.status;
  return write(tx, ticket, { status, handoffAt: at, ...reopened }, at);
};

const reopened = { closedAt: null, closedBy: null };

export const openTicket = async (tx: Db, conversation: Conversation, source: Ticket['source'], at: Date) => {
  const { id, workspaceId, agentId, channel, language, contactId } = conversation;
  const [workspace] = await tx.select().from(workspaces).where(eq(workspaces.id, workspaceId));
  if (!plans[workspace!.plan].helpdesk) return undefined;
  const [first] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, id), eq(messages.role, 'user')))
    .orderBy(asc(messages.position))
    .limit(1);
  const subject = (first?.content ?? '').replace(/\s+/g, ' ').slice(0, longestSubject);
  const [ticket] = await tx
    .insert(tickets)
    .values({
      id: newId('tkt'),
      workspaceId,
      agentId,
      conversationId: id,
      contactId,
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
  await emit(tx, { workspaceId, agentId, type: 'ticket.created', data: serialiseTicket(ticket!), at });
  return ticket!;
};

const tagsFor = async (tx: Db, workspaceId: string, subject: string): Promise<string[]> => {
  const rules = await tx.select().from(tagRules).where(eq(tagRules.workspaceId, workspaceId));
  const plain = normalise(subject);
  return [...new Set(rules.filter(({ words }) => plain.includes(normalise(words))).map(({ tag }) => tag))];
};

/** The customer wrote: the ticket is the team's again, even if it was closed. */
export const recordCustomerMessage = async (tx: Db, conversationId: string, at: Date): Promise<void> => {
  const ticket = await ticketOf(tx, conversationId);
  if (!ticket) return;
  if (ticket.status === 'new' || ticket.status === 'on_you') {
    await tx.update(tickets).set({ lastCustomerMessageAt: at }).where(eq(tickets.id, ticket.id));
    return;
  }
  await write(tx, ticket, { status: 'on_you', lastCustomerMessageAt: at, ...reopened }, at);
};

/** A person of the team wrote. */
export const recordTeamMessage = async (tx: Db, conversation: Conversation, at: Date): Promise<void> => {
  const ticket = (await ticketOf(tx, conversation.id)) ?? (await openTicket(tx, conversation, 'conversation', at));
  if (!ticket) return;
  const first = {
    firstResponseAt: ticket.firstResponseAt ?? at,
    firstResponseSeconds: ticket.firstResponseSeconds ?? seconds(ticket.handoffAt ?? ticket.createdAt, at),
  };
  await write(tx, ticket, { status: 'on_customer', lastAgentMessageAt: at, ...first, ...reopened }, at);
};

/** Writes a change and tells of it. */
export const write = async (tx: Db, ticket: Ticket, change: Partial<Ticket>, at: Date): Promise<Ticket> => {
  const [written] = await tx
    .update(tickets)
    .set({ ...change, updatedAt: at })
    .where(eq(tickets.id, ticket.id))
    .returning();
  const { workspaceId, agentId } = ticket;
  const data = serialiseTicket(written!);
  await emit(tx, { workspaceId, agentId, type: 'ticket.updated', data, at });
  if (written!.status === 'closed' && ticket.status !== 'closed') {
    await emit(tx, { workspaceId, agentId, type: 'ticket.closed', data, at });
  }
  return written!;
};
