/** The resource Lead. */
import { z } from '@hono/zod-openapi';
import type { Lead } from '../db/records.ts';
import { originFields } from './conversation.ts';

export const status = z.enum(['new', 'qualified', 'closed']);

export const leadOut = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    name: z.string().nullable(),
    contact: z.string().nullable(),
    interest: z.string().nullable(),
    channel: z.string().nullable(),
    status,
    data: z.record(z.string(), z.unknown()),
    notes: z.string().nullable(),
    conversation_id: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string().nullable(),
    ...originFields,
  })
  .openapi('Lead');

export const serializeLead = (lead: Lead): z.infer<typeof leadOut> => {
  return {
    id: lead.id,
    agent_id: lead.agentId,
    name: lead.name,
    contact: lead.contact,
    interest: lead.interest,
    channel: lead.channel,
    status: lead.status,
    data: lead.data,
    notes: lead.notes,
    conversation_id: lead.conversationId,
    created_at: lead.createdAt.toISOString(),
    updated_at: lead.updatedAt?.toISOString() ?? null,
    utm: lead.utm,
    referrer: lead.referrer,
  };
};
