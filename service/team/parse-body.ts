/** Parses and validates the body of a dashboard request. */
import type { Context } from 'hono';
import type { z } from '@hono/zod-openapi';
import { ApiError } from '../core/errors.ts';

export const parseBody = async <Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> => {
  const { success, data, error } = schema.safeParse(await context.req.json());
  if (success) return data;
  const details = error.issues.map(({ path, code, message }) => ({ field: path.join('.'), code, message }));
  throw new ApiError('validation_error', { details });
};
