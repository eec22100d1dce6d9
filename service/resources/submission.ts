/** The resource Submission. */
import { z } from '@hono/zod-openapi';
import type { submissions } from '../db/schema.ts';

export const submissionOut = z
  .object({
    id: z.string(),
    action: z.object({ id: z.string(), name: z.string() }),
    conversation_id: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    created_at: z.string(),
  })
  .openapi('Submission');

type Row = { submission: typeof submissions.$inferSelect; action: { id: string; name: string } };

export const serializeSubmission = ({ submission, action }: Row): z.infer<typeof submissionOut> => {
  return {
    id: submission.id,
    action,
    conversation_id: submission.conversationId,
    data: submission.data,
    created_at: submission.createdAt.toISOString(),
  };
};
