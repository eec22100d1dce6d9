/** Message, as the API shows it. */
import { z } from '@hono/zod-openapi';
import type { Message } from '../../contract/wire.ts';
import type { messages } from '../db/schema.ts';
import { chatMessageOut, source } from '../routes/chat-schemas.ts';

export const messageOut = chatMessageOut
  .extend({
    actor_type: z.enum(['visitor', 'ai', 'owner']),
    outcome: z.string().nullable(),
    refused: z.boolean(),
    sources: z.array(source),
    created_at: z.string(),
    feedback: z.object({ rating: z.union([z.literal(1), z.literal(-1)]), comment: z.string().optional() }).nullable(),
  })
  .openapi('Message') satisfies z.ZodType<Message>;

export const serialiseMessage = (row: typeof messages.$inferSelect): z.infer<typeof messageOut> => {
  return {
    id: row.id,
    role: row.role,
    content: row.content,
    actor_type: row.actorType,
    outcome: row.outcome,
    refused: row.refused,
    sources: row.sources,
    blocks: row.blocks,
    lang: row.language,
    created_at: row.createdAt.toISOString(),
    feedback: row.feedback,
  };
};
