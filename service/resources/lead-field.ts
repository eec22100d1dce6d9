/** The resource LeadField, and the field as a form shows it. */
import { z } from '@hono/zod-openapi';
import type { LeadField } from '../db/records.ts';

export const leadFieldOut = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    key: z.string(),
    label_en: z.string(),
    label_ar: z.string(),
    kind: z.enum(['text', 'email', 'phone', 'number', 'date', 'select']),
    options: z.array(z.string()),
    required: z.boolean(),
    ask_when: z.enum(['always', 'if_missing']),
    position: z.number().int(),
    created_at: z.string(),
  })
  .openapi('LeadField');

export const formField = ({ key, labelEn, labelAr, kind, options, required }: LeadField) => {
  return { key, label_en: labelEn, label_ar: labelAr, kind, options, required };
};

export const serializeLeadField = (field: LeadField): z.infer<typeof leadFieldOut> => {
  const { id, agentId, askWhen, position, createdAt } = field;
  return {
    id,
    agent_id: agentId,
    ...formField(field),
    ask_when: askWhen,
    position,
    created_at: createdAt.toISOString(),
  };
};
