/** The resource Conversation. */
import { z } from '@hono/zod-openapi';
import type { Conversation } from '../db/records.ts';

export const state = z.enum(['ai_active', 'handoff_requested', 'human_active', 'closed']);
export const channel = z.enum(['website', 'hosted', 'api', 'email', 'slack', 'voice_web']);

const campaign = z.string().optional();

/** The origin of a visit. Empty when it is unknown. */
export const originFields = {
  utm: z.object({
    utm_source: campaign,
    utm_medium: campaign,
    utm_campaign: campaign,
    utm_term: campaign,
    utm_content: campaign,
  }),
  referrer: z.string(),
};

export const conversationOut = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    channel,
    state,
    started_at: z.string(),
    expires_at: z.string(),
    last_message_at: z.string().nullable(),
    lead_captured: z.boolean(),
    summary: z.string().nullable(),
    page_url: z.string().nullable(),
    ...originFields,
  })
  .openapi('Conversation');

export const serializeConversation = (row: Conversation): z.infer<typeof conversationOut> => {
  return {
    id: row.id,
    agent_id: row.agentId,
    channel: row.channel,
    state: row.state,
    started_at: row.startedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    last_message_at: row.lastMessageAt?.toISOString() ?? null,
    lead_captured: row.leadCaptured,
    summary: row.summary,
    page_url: row.pageUrl,
    utm: row.utm,
    referrer: row.referrer,
  };
};
