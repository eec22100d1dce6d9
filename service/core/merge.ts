/** Schemas and the merge rule of PATCH bodies. */
import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../../contract/wire.ts';
import { invalid } from './errors.ts';
import { boundedText } from './bounded-text.ts';

/** Characters of the longest key that an object may have. An identity token has the longest ones. */
const maxKeyLength = 200;

interface FlatValues {
  maxKeys: number;
  maxLength: number;
  /** The keys that may be set. Any key may be removed, because some come from identity tokens. */
  key?: RegExp;
}

/** The schema of a flat object of text, numbers and booleans. The value null removes a key. */
export const flatValues = ({ maxKeys, maxLength, key = /^.{1,100}$/s }: FlatValues) =>
  z
    .record(boundedText(maxKeyLength), z.union([boundedText(maxLength), z.number(), z.boolean(), z.null()]))
    .superRefine((values, context) => {
      const set = Object.keys(values).filter((name) => values[name] !== null);
      if (set.length > maxKeys) context.addIssue({ code: 'custom', path: [], message: `At most ${maxKeys} keys.` });
      for (const name of set.filter((each) => !key.test(each))) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'Not a valid name.',
          params: { pattern: key.source },
        });
      }
    });

/** Rejects a body in which every optional field is missing. */
export const atLeastOne = (body: object, context: z.RefinementCtx): void => {
  if (Object.values(body).every((value) => value === undefined)) {
    context.addIssue({ code: 'custom', path: [], message: 'Send at least one field.' });
  }
};

/**
 * Like `mergedByKey`, for an object that may not grow beyond a number of keys.
 * @throws {ApiError} `validation_error` for the field.
 */
export const mergedUpTo = (
  maxKeys: number,
  field: string,
  before: JsonObject,
  changes: JsonObject = {},
): JsonObject => {
  const merged = mergedByKey(before, changes);
  const count = Object.keys(merged).length;
  if (count > maxKeys && count > Object.keys(before).length)
    throw invalid(field, 'too_big', `At most ${maxKeys} keys.`);
  return merged;
};

/** Returns the object with the changes applied key by key. A change to null removes the key. */
export const mergedByKey = (before: JsonObject, changes: JsonObject = {}): JsonObject => {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));
};
