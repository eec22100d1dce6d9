/** Contacts: whom a name, an address or a number belongs to, and how what is newly known is written to it. */
import { and, eq, ne, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/open.ts';
import { contacts, type ContactSource } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { newId } from '../core/ids.ts';
import { serialiseContact, type Contact } from '../resources/contact.ts';
import { mergedByKey } from '../core/merge.ts';

export interface Known {
  externalId?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  attributes?: JsonObject | undefined;
  consentMarketing?: boolean | undefined;
  locale?: 'en' | 'ar' | '' | undefined;
}

export interface Saving {
  workspaceId: string;
  /** The agent it came by; null when it came by none. */
  agentId: string | null;
  source: ContactSource;
  at: Date;
}

export const emailKey = (email: string) => email.trim().toLowerCase() || null;

/** `+968 9000-0000`, `0096890000000` and Arabic digits are one number. */
export const phoneKey = (phone: string): string | null => {
  const plain = phone.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  return plain.replace(/\D/g, '').replace(/^00/, '') || null;
};

/** Held to the end of the transaction: two calls at once cannot make two contacts of one person. */
export const lockContacts = async (tx: Db, workspaceId: string): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`contacts ${workspaceId}`}))`);
};

/** By external id, then e-mail, then phone. Whoever has another external id is another person. */
export const matchContact = async (tx: Db, workspaceId: string, known: Known): Promise<Contact | undefined> => {
  const ours = eq(contacts.workspaceId, workspaceId);
  const { externalId } = known;
  if (externalId) {
    const [same] = await tx
      .select()
      .from(contacts)
      .where(and(ours, eq(contacts.externalId, externalId)));
    if (same) return same;
  }
  const keys = [
    [contacts.emailKey, emailKey(known.email ?? '')],
    [contacts.phoneKey, phoneKey(known.phone ?? '')],
  ] as const;
  for (const [column, key] of keys) {
    if (key === null) continue;
    const [found] = await tx
      .select()
      .from(contacts)
      .where(and(ours, eq(column, key)));
    if (found && (!externalId || found.externalId === null)) return found;
  }
  return undefined;
};

export const saveContact = async (
  tx: Db,
  known: Known,
  saving: Saving,
  verified = false,
): Promise<{ contact: Contact; isNew: boolean }> => {
  await lockContacts(tx, saving.workspaceId);
  const found = await matchContact(tx, saving.workspaceId, known);
  if (found) {
    const contact = await writeOver(tx, found, known, saving.at, verified);
    return { contact, isNew: false };
  }
  return { contact: await create(tx, known, saving, verified), isNew: true };
};

const create = async (tx: Db, known: Known, { workspaceId, agentId, source, at }: Saving, verified: boolean) => {
  const [contact] = await tx
    .insert(contacts)
    .values({
      id: newId('con'),
      workspaceId,
      externalId: known.externalId || null,
      name: known.name ?? '',
      ...(await keyed(tx, workspaceId, known)),
      attributes: mergedByKey({}, known.attributes),
      verified,
      source,
      ...(known.consentMarketing === undefined ? {} : consent(known.consentMarketing, at)),
      locale: known.locale ?? '',
      firstSeenAt: at,
      lastSeenAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  // A lead is told of by an event of its own.
  if (source !== 'lead') {
    await emit(tx, { workspaceId, agentId, type: 'contact.created', data: serialiseContact(contact!), at });
  }
  return contact!;
};

/** An empty value leaves what is there. */
const writeOver = async (tx: Db, contact: Contact, known: Known, at: Date, verified: boolean): Promise<Contact> => {
  const { name, email, phone, locale, externalId, consentMarketing } = known;
  const [written] = await tx
    .update(contacts)
    .set({
      ...(name ? { name } : {}),
      ...(await keyed(
        tx,
        contact.workspaceId,
        { ...(email ? { email } : {}), ...(phone ? { phone } : {}) },
        contact.id,
      )),
      ...(locale === undefined ? {} : { locale }),
      ...(externalId ? { externalId } : {}),
      ...(verified ? { verified } : {}),
      ...(consentMarketing === undefined || (consentMarketing && isSuppressed(contact))
        ? {}
        : consent(consentMarketing, at, contact)),
      attributes: mergedByKey(contact.attributes, known.attributes),
      lastSeenAt: at,
      updatedAt: at,
    })
    .where(eq(contacts.id, contact.id))
    .returning();
  return written!;
};

/** An e-mail or phone with what it is found by, unless it is another's: then it is kept for reading only. */
export const keyed = async (
  tx: Db,
  workspaceId: string,
  { email, phone }: Known,
  id = '',
): Promise<Partial<Contact>> => {
  const others = and(eq(contacts.workspaceId, workspaceId), ne(contacts.id, id));
  const free = async (column: typeof contacts.emailKey | typeof contacts.phoneKey, key: string | null) => {
    if (key === null) return null;
    const taken = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(others, eq(column, key)));
    return taken.length === 0 ? key : null;
  };
  return {
    ...(email === undefined ? {} : { email, emailKey: await free(contacts.emailKey, emailKey(email)) }),
    ...(phone === undefined ? {} : { phone, phoneKey: await free(contacts.phoneKey, phoneKey(phone)) }),
  };
};

/** Whoever unsubscribed, bounced or complained is not given consent again. */
export const isSuppressed = ({ marketingStatus }: Contact): boolean => {
  return ['unsubscribed', 'bounced', 'complained'].includes(marketingStatus);
};

export const consent = (given: boolean, at: Date, before?: Contact): Partial<Contact> => {
  if (given) {
    const since = before?.consentMarketing ? before.consentMarketingAt : at;
    return { consentMarketing: true, consentMarketingAt: since, marketingStatus: 'subscribed' };
  }
  const keeps = before && isSuppressed(before);
  return {
    consentMarketing: false,
    consentMarketingAt: null,
    marketingStatus: keeps ? before.marketingStatus : 'not_subscribed',
  };
};
