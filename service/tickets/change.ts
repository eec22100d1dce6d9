/** Changes a ticket: checks the status transition, the assignee and the custom fields (the contract's "Ticket"). */
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Ticket } from '../db/records.ts';
import { lockConversations } from '../db/row-locks.ts';
import { conversations, members, ticketFields, tickets } from '../db/schema.ts';
import { ApiError, invalid } from '../core/errors.ts';
import { mergedByKey } from '../core/merge.ts';
import { updateTicket } from './conversation-ticket.ts';

export interface TicketChange {
  status?: 'open' | 'on_hold' | 'closed' | undefined;
  priority?: Ticket['priority'] | undefined;
  assignee_user_id?: string | null | undefined;
  custom?: JsonObject | undefined;
}

/** `memberId` is the member who makes the change, or null for an API key. */
export const changeTicket = async (
  db: Db,
  ticketId: string,
  change: TicketChange,
  { memberId, at }: { memberId: string | null; at: Date },
): Promise<Ticket> => {
  return db.transaction(async (tx) => {
    const isTicket = eq(tickets.id, ticketId);
    const [found] = await tx.select({ conversationId: tickets.conversationId }).from(tickets).where(isTicket);
    if (found?.conversationId) await lockConversations(tx, [found.conversationId]);
    const [ticket] = await tx.select().from(tickets).where(isTicket).for('update');
    if (!ticket) throw new ApiError('not_found');
    if (typeof change.assignee_user_id === 'string') await requireAssignable(tx, ticket, change.assignee_user_id);
    if (change.custom) await requireValidFields(tx, ticket, change.custom);
    const status = change.status === undefined ? undefined : nextStatus(ticket, change.status);
    const changed = await updateTicket(
      tx,
      ticket,
      {
        ...(change.priority === undefined ? {} : { priority: change.priority }),
        ...(change.assignee_user_id === undefined ? {} : { assigneeId: change.assignee_user_id }),
        ...(change.custom === undefined ? {} : { custom: mergedByKey(ticket.custom, change.custom) }),
        ...(status === undefined ? {} : { status }),
        ...(status === undefined ? {} : closedColumns(status, memberId, at)),
      },
      at,
    );
    if (status === 'closed' && ticket.conversationId !== null) await returnToAssistant(tx, ticket.conversationId);
    return changed;
  });
};

const closedColumns = (status: Ticket['status'], memberId: string | null, at: Date): Partial<Ticket> => {
  return status === 'closed' ? { closedAt: at, closedBy: memberId } : { closedAt: null, closedBy: null };
};

const nextStatus = (ticket: Ticket, to: 'open' | 'on_hold' | 'closed'): Ticket['status'] => {
  const { status } = ticket;
  if (to === 'closed' && status !== 'closed') return 'closed';
  if (to === 'on_hold' && status !== 'closed' && status !== 'on_hold') return 'on_hold';
  if (to === 'open' && (status === 'closed' || status === 'on_hold')) return openStatusOf(ticket);
  throw new ApiError('conflict', { details: 'status' });
};

const openStatusOf = ({ lastAgentMessageAt, lastCustomerMessageAt }: Ticket): Ticket['status'] => {
  if (!lastAgentMessageAt) return 'new';
  return lastCustomerMessageAt && lastCustomerMessageAt > lastAgentMessageAt ? 'on_you' : 'on_customer';
};

/** The assistant replies to the visitor again. */
const returnToAssistant = async (tx: Db, conversationId: string): Promise<void> => {
  await tx
    .update(conversations)
    .set({ state: 'ai_active' })
    .where(
      and(eq(conversations.id, conversationId), inArray(conversations.state, ['handoff_requested', 'human_active'])),
    );
};

const requireAssignable = async (tx: Db, ticket: Ticket, memberId: string): Promise<void> => {
  const [member] = await tx
    .select()
    .from(members)
    .where(and(eq(members.id, memberId), eq(members.workspaceId, ticket.workspaceId), isNull(members.endedAt)));
  const isAssignable = member && member.role !== 'viewer' && (member.agentIds?.includes(ticket.agentId) ?? true);
  if (!isAssignable) {
    throw invalid('assignee_user_id', 'not_eligible', 'Not a member who can reply for this agent.');
  }
};

const requireValidFields = async (tx: Db, { workspaceId }: Ticket, custom: JsonObject): Promise<void> => {
  const fields = await tx.select().from(ticketFields).where(eq(ticketFields.workspaceId, workspaceId));
  for (const [key, value] of Object.entries(custom)) {
    const field = fields.find((each) => each.key === key);
    if (!field) throw invalid(`custom.${key}`, 'unknown_field', 'The workspace has no such ticket field.');
    if (value === null) continue;
    const isValid =
      field.kind === 'select' ? field.options.some((option) => option === value) : typeof value === kinds[field.kind];
    if (!isValid) throw invalid(`custom.${key}`, 'invalid_value', `Not a value of this ${field.kind} field.`);
  }
};

const kinds = { text: 'string', number: 'number', boolean: 'boolean' } as const;
