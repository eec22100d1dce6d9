/** The fields that an agent asks of a lead, in the order that the owner chose. */
import { asc, eq } from 'drizzle-orm';
import type { FormField } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Contact, LeadField } from '../db/records.ts';
import { leadFields } from '../db/schema.ts';
import { formField } from '../resources/lead-field.ts';

export const leadFieldsOf = (db: Db, agentId: string): Promise<LeadField[]> => {
  return db
    .select()
    .from(leadFields)
    .where(eq(leadFields.agentId, agentId))
    .orderBy(asc(leadFields.position), asc(leadFields.id));
};

/** Leaves out the `if_missing` fields whose value the contact has, unless none would be left: an empty form cannot be sent. */
export const leadFormFields = (all: LeadField[], contact: Contact | undefined): FormField[] => {
  const known = knownLeadValues(contact);
  const missing = all.filter(({ askWhen, key }) => askWhen === 'always' || !known[key]);
  return (missing.length > 0 ? missing : all).map(formField);
};

/** The lead values that are copied from a contact. */
export const knownLeadValues = (contact: Contact | undefined): Record<string, string> => {
  if (!contact) return {};
  const { name, email, phone } = contact;
  return Object.fromEntries(Object.entries({ name, email, phone }).filter(([, value]) => value !== ''));
};
