/** The resource Message, and the message of a chat response. */
import { z } from '@hono/zod-openapi';
import type { Block, ChatMessageOut, Message, Source } from '../../contract/wire.ts';
import type { StoredMessage } from '../db/records.ts';

export const source = z
  .object({
    file_id: z.string(),
    filename: z.string(),
    title: z.string().optional(),
    url: z.string().optional(),
  })
  .openapi('AnswerSource') satisfies z.ZodType<Source>;

const block = z
  .custom<Block>((value) => typeof value === 'object' && value !== null && 'type' in value)
  .openapi('Block', {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string' }, id: { type: 'string' } },
    additionalProperties: true,
  });

export const chatMessageOut = z
  .object({
    id: z.string(),
    role: z.string(),
    content: z.string(),
    actor_type: z.string().optional(),
    blocks: z.array(block).nullable().optional(),
    lang: z.string().optional(),
    created_at: z.string().optional(),
  })
  .openapi('ChatMessageOut') satisfies z.ZodType<ChatMessageOut>;

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

type Row = Omit<StoredMessage, 'conversationId' | 'position'>;

export const serializeChatMessage = (row: Row) => {
  return {
    id: row.id,
    role: row.role,
    content: row.content,
    actor_type: row.actorType,
    blocks: row.blocks,
    lang: row.language,
    created_at: row.createdAt.toISOString(),
  };
};

export const serializeMessage = (row: Row): z.infer<typeof messageOut> => {
  return {
    ...serializeChatMessage(row),
    outcome: row.outcome,
    refused: row.refused,
    sources: row.sources,
    feedback: row.feedback,
  };
};
