/** The resource WebhookEndpoint. */
import { z } from '@hono/zod-openapi';
import type { webhookEndpoints } from '../db/schema.ts';

export const webhookOut = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    agent_id: z.string().nullable(),
    enabled: z.boolean(),
    // A union, because generators of clients reject an enumeration with null.
    disabled_reason: z.union([z.enum(['failures', 'owner', 'maker_left']), z.null()]),
    created_at: z.string(),
    description: z.string().nullable(),
    secret: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'Only in the response that creates the endpoint.' }),
  })
  .openapi('WebhookEndpoint');

export const serializeWebhook = (endpoint: typeof webhookEndpoints.$inferSelect): z.infer<typeof webhookOut> => {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    agent_id: endpoint.agentId,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    created_at: endpoint.createdAt.toISOString(),
    description: endpoint.description,
  };
};
