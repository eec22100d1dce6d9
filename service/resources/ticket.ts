/** The resource Ticket. */
import { z } from '@hono/zod-openapi';
import type { Ticket } from '../db/records.ts';
import { channel } from './conversation.ts';

export const ticketStatus = z.enum(['new', 'on_you', 'on_customer', 'on_hold', 'closed']);
export const priority = z.enum(['low', 'normal', 'high']);
const time = z.string().nullable();

export const ticketOut = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    conversation_id: z.string().nullable(),
    contact_id: z.string().nullable(),
    team_id: z.string().nullable(),
    status: ticketStatus,
    priority,
    assignee_user_id: z.string().nullable(),
    subject: z.string(),
    channel,
    language: z.enum(['en', 'ar']),
    source: z.enum(['handoff', 'conversation']),
    custom: z.record(z.string(), z.unknown()),
    tags: z.array(z.string()),
    handoff_at: time,
    first_response_at: time,
    first_response_seconds: z.number().int().nullable(),
    last_customer_message_at: time,
    last_agent_message_at: time,
    closed_at: time,
    closed_by: z.string().nullable(),
    resolution_seconds: z.number().int().nullable(),
    csat_score: z.number().int().nullable(),
    csat_comment: z.string().nullable(),
    csat_at: time,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Ticket');

export const serializeTicket = (ticket: Ticket): z.infer<typeof ticketOut> => {
  const isoTime = (at: Date | null) => at?.toISOString() ?? null;
  const { closedAt, createdAt } = ticket;
  return {
    id: ticket.id,
    agent_id: ticket.agentId,
    conversation_id: ticket.conversationId,
    contact_id: ticket.contactId,
    team_id: ticket.teamId,
    status: ticket.status,
    priority: ticket.priority,
    assignee_user_id: ticket.assigneeId,
    subject: ticket.subject,
    channel: ticket.channel,
    language: ticket.language,
    source: ticket.source,
    custom: ticket.custom,
    tags: ticket.tags,
    handoff_at: isoTime(ticket.handoffAt),
    first_response_at: isoTime(ticket.firstResponseAt),
    first_response_seconds: ticket.firstResponseSeconds,
    last_customer_message_at: isoTime(ticket.lastCustomerMessageAt),
    last_agent_message_at: isoTime(ticket.lastAgentMessageAt),
    closed_at: isoTime(closedAt),
    closed_by: ticket.closedBy,
    resolution_seconds: closedAt && seconds(createdAt, closedAt),
    csat_score: ticket.csatScore,
    csat_comment: ticket.csatComment,
    csat_at: isoTime(ticket.csatAt),
    created_at: createdAt.toISOString(),
    updated_at: ticket.updatedAt.toISOString(),
  };
};

/** Returns the whole seconds between two times, at least 0. */
export const seconds = (from: Date, to: Date): number => {
  return Math.max(0, Math.round((to.getTime() - from.getTime()) / 1000));
};
