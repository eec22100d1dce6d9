/** The resource Usage. */
import { z } from '@hono/zod-openapi';

export const usageOut = z
  .object({
    month: z.string(),
    plan: z.string(),
    conversations_per_agent: z.number().int().openapi({ deprecated: true }),
    pool: z.object({
      included: z.number().int(),
      top_ups: z.number().int(),
      used: z.number().int(),
      remaining: z.number().int(),
    }),
    agents: z.array(
      z.object({
        agent_id: z.string(),
        name: z.string(),
        conversations: z.number().int(),
        messages: z.number().int(),
      }),
    ),
  })
  .openapi('Usage');

export type Usage = z.infer<typeof usageOut>;
