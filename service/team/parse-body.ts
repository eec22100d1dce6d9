/** Parses and validates the body or the query of a dashboard request. */
import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import { isLongerThan } from '../../contract/characters.ts';
import { maxMessageLength } from '../../contract/limits.ts';
import { ApiError } from '../core/errors.ts';

/** The text of a message, with the contract's limit. */
export const messageText = z
  .string()
  .trim()
  .min(1)
  .refine((text) => !isLongerThan(text, maxMessageLength), `At most ${maxMessageLength} characters.`);

export const parseBody = async <Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.infer<Schema>> => {
  return parse(await context.req.json(), schema);
};

export const parseQuery = <Schema extends z.ZodType>(context: Context, schema: Schema): z.infer<Schema> => {
  return parse(context.req.query(), schema);
};

const parse = <Schema extends z.ZodType>(sent: unknown, schema: Schema): z.infer<Schema> => {
  const { success, data, error } = schema.safeParse(sent);
  if (success) return data;
  const details = error.issues.map(({ path, code, message }) => ({ field: path.join('.'), code, message }));
  throw new ApiError('validation_error', { details });
};
