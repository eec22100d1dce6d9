/** What an agent asks of a lead, in the order the owner arranged. */
import { asc, eq, type InferSelectModel } from 'drizzle-orm';
import type { FormField } from '../../../src/api/wire.ts';
import type { Db } from '../db/open.ts';
import { leadFields } from '../db/schema.ts';

type LeadField = InferSelectModel<typeof leadFields>;

export function leadFieldsOf(db: Db, agentId: string): Promise<LeadField[]> {
  return db
    .select()
    .from(leadFields)
    .where(eq(leadFields.agentId, agentId))
    .orderBy(asc(leadFields.position), asc(leadFields.id));
}

export async function leadFormFields(db: Db, agentId: string): Promise<FormField[]> {
  const fields = await leadFieldsOf(db, agentId);
  return fields.map(({ key, labelEn, labelAr, kind, options, required }) => ({
    key,
    label_en: labelEn,
    label_ar: labelAr,
    kind,
    options,
    required,
  }));
}
