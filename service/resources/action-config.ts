/** The `config` and the `input_schema` of an action: what a request may contain, and what a turn needs. */
import { z } from '@hono/zod-openapi';
import type { JsonObject } from '../../contract/wire.ts';
import { kind } from './action.ts';
import { boundedText } from '../core/bounded-text.ts';

type Kind = z.infer<typeof kind>;

const text = boundedText(200);
const localized = z.union([text, z.looseObject({ en: text, ar: text })]);

const field = z.looseObject({
  key: text.min(1),
  label_en: text.min(1),
  label_ar: text.default(''),
  kind: z.enum(['text', 'email', 'phone', 'number', 'date', 'select']).default('text'),
  options: z.array(text).max(100).default([]),
  required: z.boolean().default(false),
});

/** Wordings that request the action without a language model. */
const wordings = { asked_by: z.array(boundedText(500)).max(100).optional() };
const object = z.record(z.string(), z.unknown());

const configs = {
  collect_data: z.looseObject({
    ...wordings,
    title: localized.optional(),
    fields: z.array(field).max(50).optional(),
    lead: z.boolean().optional(),
  }),
  client_tool: z.looseObject({ ...wordings, timeout_ms: z.number().int().min(1).max(600_000).optional() }),
  http: z.looseObject({
    ...wordings,
    timeout_ms: z.number().int().positive().optional(),
    max_bytes: z.number().int().positive().optional(),
  }),
  integration: z.looseObject({ ...wordings, vendor: text.optional(), settings: object.optional() }),
} satisfies Record<Kind, z.ZodType>;

/** The config with the optional members of its fields filled in, or the issues that reject it. */
export const readConfig = (of: Kind, config: JsonObject) => configs[of].safeParse(config);

/** The part of a JSON schema that the service reads. */
export const inputSchema = z.looseObject({
  properties: z.record(z.string(), z.union([object, z.boolean()])).optional(),
  required: z.array(z.string()).optional(),
});

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const calendar = z.object({
  title: z.object({ en: z.string(), ar: z.string() }),
  minutes: z.number().positive().max(1440),
  weekly: z.array(z.tuple([z.enum(days), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)])),
});

/** Returns the config as a turn reads it, or undefined for a form without fields or an integration without a calendar. */
export const usableConfig = (of: Kind, stored: JsonObject): JsonObject | undefined => {
  const { success, data } = readConfig(of, stored);
  if (!success) return undefined;
  const config = data as JsonObject & { fields?: unknown[] };
  const isComplete =
    of === 'collect_data'
      ? config.fields
        ? config.fields.length > 0
        : config['lead'] === true
      : of !== 'integration' || calendar.safeParse(config['settings']).success;
  return isComplete ? config : undefined;
};
