/** Schemas of texts with a maximum length, which counts characters as the contract does: Unicode code points. */
import { z } from '@hono/zod-openapi';
import { isLongerThan } from '../../contract/characters.ts';

export const boundedText = (max: number): z.ZodString => bounded(z.string(), max);

/** A text without white space around it. */
export const trimmedText = (max: number): z.ZodString => bounded(z.string().trim(), max);

/** A text that is not empty, without white space around it. */
export const boundedLine = (max: number): z.ZodString => bounded(z.string().trim().min(1), max);

/** `max` of the library counts UTF-16 code units, of which an emoji has two or more. */
const bounded = (schema: z.ZodString, max: number): z.ZodString =>
  schema
    .superRefine((value, context) => {
      if (!isLongerThan(value, max)) return;
      context.addIssue({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
    })
    .openapi({ maxLength: max });
