/** Schemas and the merge rule of PATCH bodies. */
import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../../contract/wire.ts';

/** The schema of a flat object of text, numbers and booleans. The value null removes a key. */
export const flatValues = (maxKeys: number, maxLength: number, key: z.ZodString = z.string().min(1).max(100)) =>
  z
    .record(key, z.union([z.string().max(maxLength), z.number(), z.boolean(), z.null()]))
    .refine((values) => Object.keys(values).length <= maxKeys, { message: `At most ${maxKeys} keys.` });

/** Rejects a body in which every optional field is missing. */
export const atLeastOne = (body: object, context: z.RefinementCtx): void => {
  if (Object.values(body).every((value) => value === undefined)) {
    context.addIssue({ code: 'custom', path: [], message: 'Send at least one field.' });
  }
};

/** Returns the object with the changes applied key by key. A change to null removes the key. */
export const mergedByKey = (before: JsonObject, changes: JsonObject = {}): JsonObject => {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));
};
