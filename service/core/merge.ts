/** Changes that are merged: what may be sent, and what comes of it. */
import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../../contract/wire.ts';

/** A flat object of text, numbers and booleans; null stands for removing a key. */
export const flatValues = (maxKeys: number, longest: number, key: z.ZodString = z.string().min(1).max(100)) =>
  z
    .record(key, z.union([z.string().max(longest), z.number(), z.boolean(), z.null()]))
    .refine((values) => Object.keys(values).length <= maxKeys, { message: `At most ${maxKeys} keys.` });

/** For a body none of whose fields is required by itself. */
export const atLeastOne = (body: object, context: z.RefinementCtx): void => {
  if (Object.values(body).every((value) => value === undefined)) {
    context.addIssue({ code: 'custom', path: [], message: 'Send at least one field.' });
  }
};

export const mergedByKey = (before: JsonObject, sent: JsonObject = {}): JsonObject => {
  return Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null));
};
