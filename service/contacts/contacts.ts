/** Contacts: found by external id, e-mail address or phone number, created and updated. */
import { and, eq, ne, sql } from 'drizzle-orm';
import { toAsciiDigits } from '../../contract/characters.ts';
import { maxContactAttributes } from '../../contract/limits.ts';
import type { JsonObject } from '../../contract/wire.ts';
import type { Db } from '../db/database.ts';
import type { Contact } from '../db/records.ts';
import { contacts, waitingContacts, type ContactSource } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { normalizedEmail } from '../core/addresses.ts';
import { newId } from '../core/ids.ts';
import { serializeContact } from '../resources/contact.ts';
import { mergedByKey } from '../core/merge.ts';

/** The properties of a contact that a caller provides. */
export interface ContactProfile {
  externalId?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  attributes?: JsonObject | undefined;
  consentMarketing?: boolean | undefined;
  locale?: 'en' | 'ar' | '' | undefined;
}

/** The source of a contact's properties. */
export interface ContactOrigin {
  workspaceId: string;
  /** The agent whose conversation provided them, or null. */
  agentId: string | null;
  source: ContactSource;
  at: Date;
}

export const emailKey = (email: string) => normalizedEmail(email).toLowerCase() || null;

/** Returns the same key for `+968 9000-0000`, `0096890000000` and the number in Arabic digits. */
export const phoneKey = (phone: string): string | null => {
  return toAsciiDigits(phone).replace(/\D/g, '').replace(/^00/, '') || null;
};

/** Locks the workspace's contacts until the transaction ends, so that two calls cannot create the same contact. */
export const lockContacts = async (tx: Db, workspaceId: string): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`contacts ${workspaceId}`}))`);
};

/**
 * Finds a contact by external id, then by e-mail address, then by phone number. A contact with another external id never
 * matches.
 */
export const matchContact = async (
  tx: Db,
  workspaceId: string,
  profile: ContactProfile,
): Promise<Contact | undefined> => {
  const inWorkspace = eq(contacts.workspaceId, workspaceId);
  const { externalId } = profile;
  if (externalId) {
    const [found] = await tx
      .select()
      .from(contacts)
      .where(and(inWorkspace, eq(contacts.externalId, externalId)));
    if (found) return found;
  }
  const keys = [
    [contacts.emailKey, emailKey(profile.email ?? '')],
    [contacts.phoneKey, phoneKey(profile.phone ?? '')],
  ] as const;
  for (const [column, key] of keys) {
    if (key === null) continue;
    const [found] = await tx
      .select()
      .from(contacts)
      .where(and(inWorkspace, eq(column, key)));
    if (found && (!externalId || found.externalId === null)) return found;
  }
  return undefined;
};

/** Updates the matching contact, or creates one. */
export const saveContact = async (
  tx: Db,
  profile: ContactProfile,
  origin: ContactOrigin,
  isVerified = false,
): Promise<{ contact: Contact; isNew: boolean }> => {
  await lockContacts(tx, origin.workspaceId);
  const found = await matchContact(tx, origin.workspaceId, profile);
  if (found) {
    const contact = await update(tx, found, profile, origin.at, isVerified);
    return { contact, isNew: false };
  }
  return { contact: await create(tx, profile, origin, isVerified), isNew: true };
};

const create = async (
  tx: Db,
  profile: ContactProfile,
  { workspaceId, agentId, source, at }: ContactOrigin,
  isVerified: boolean,
) => {
  const [contact] = await tx
    .insert(contacts)
    .values({
      id: newId('con'),
      workspaceId,
      externalId: profile.externalId || null,
      name: profile.name ?? '',
      ...(await contactKeys(tx, workspaceId, profile)),
      attributes: mergedByKey({}, profile.attributes),
      verified: isVerified,
      source,
      ...(profile.consentMarketing === undefined ? {} : consent(profile.consentMarketing, at)),
      locale: profile.locale ?? '',
      firstSeenAt: at,
      lastSeenAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  // A lead has its own event.
  if (source !== 'lead') {
    await emit(tx, { workspaceId, agentId, type: 'contact.created', data: serializeContact(contact!), at });
  }
  return contact!;
};

/** An empty value does not change the stored one. */
const update = async (
  tx: Db,
  contact: Contact,
  profile: ContactProfile,
  at: Date,
  isVerified: boolean,
): Promise<Contact> => {
  const { name, email, phone, locale, externalId, consentMarketing } = profile;
  const [updated] = await tx
    .update(contacts)
    .set({
      ...(name ? { name } : {}),
      ...(await contactKeys(
        tx,
        contact.workspaceId,
        { ...(email ? { email } : {}), ...(phone ? { phone } : {}) },
        contact.id,
      )),
      ...(locale === undefined ? {} : { locale }),
      ...(externalId ? { externalId } : {}),
      ...(isVerified ? { verified: true } : {}),
      ...(consentMarketing === undefined || (consentMarketing && isSuppressed(contact))
        ? {}
        : consent(consentMarketing, at, contact)),
      attributes: isVerified
        ? newestAttributes(contact.attributes, profile.attributes)
        : mergedByKey(contact.attributes, profile.attributes),
      lastSeenAt: at,
      updatedAt: at,
    })
    .where(eq(contacts.id, contact.id))
    .returning();
  await passKeysOn(tx, contact, updated);
  return updated!;
};

/** Those of the token and, up to the limit of a contact, the stored ones. A visitor cannot react to a rejection. */
const newestAttributes = (stored: JsonObject, proven: JsonObject = {}): JsonObject => {
  const earlier = Object.entries(stored).filter(([key]) => !Object.hasOwn(proven, key));
  return Object.fromEntries([...Object.entries(proven), ...earlier].slice(0, maxContactAttributes));
};

/**
 * Returns the e-mail address and phone number with the keys that contacts are found by. When a key belongs to another
 * contact it is null: the address is stored, but the contact is not found by it.
 */
export const contactKeys = async (
  tx: Db,
  workspaceId: string,
  { email, phone }: ContactProfile,
  id = '',
): Promise<Partial<Contact>> => {
  const others = and(eq(contacts.workspaceId, workspaceId), ne(contacts.id, id));
  const freeKey = async (column: typeof contacts.emailKey | typeof contacts.phoneKey, key: string | null) => {
    if (key === null) return null;
    const taken = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(others, eq(column, key)));
    return taken.length === 0 ? key : null;
  };
  return {
    ...(email === undefined
      ? {}
      : { email: normalizedEmail(email), emailKey: await freeKey(contacts.emailKey, emailKey(email)) }),
    ...(phone === undefined ? {} : { phone, phoneKey: await freeKey(contacts.phoneKey, phoneKey(phone)) }),
  };
};

/**
 * Gives the keys that a contact no longer has to the oldest contact with the same address, which has none because it was taken.
 * Without this, nothing would find that contact, and the next call would create another one.
 * @param after The contact now. Undefined when it was deleted.
 */
export const passKeysOn = async (tx: Db, before: Contact, after?: Contact): Promise<void> => {
  for (const column of ['emailKey', 'phoneKey'] as const) {
    const { isWaiting, address } = waitingContacts[column];
    const key = before[column];
    if (key === null || key === after?.[column]) continue;
    const [next] = await tx
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.workspaceId, before.workspaceId), isWaiting, eq(address, key)))
      .orderBy(contacts.createdAt, contacts.id)
      .limit(1);
    if (next)
      await tx
        .update(contacts)
        .set({ [column]: key })
        .where(eq(contacts.id, next.id));
  }
};

/** Deletes the row of a contact. The database deletes its leads and notes, and unlinks its conversations and tickets. */
export const removeContact = async (tx: Db, { id }: Contact): Promise<void> => {
  const [removed] = await tx.delete(contacts).where(eq(contacts.id, id)).returning();
  if (removed) await passKeysOn(tx, removed);
};

/** A contact that unsubscribed, bounced or complained cannot get marketing consent again. */
export const isSuppressed = ({ marketingStatus }: Contact): boolean => {
  return ['unsubscribed', 'bounced', 'complained'].includes(marketingStatus);
};

export const consent = (given: boolean, at: Date, before?: Contact): Partial<Contact> => {
  if (given) {
    const givenAt = before?.consentMarketing ? before.consentMarketingAt : at;
    return { consentMarketing: true, consentMarketingAt: givenAt, marketingStatus: 'subscribed' };
  }
  const keepsStatus = before && isSuppressed(before);
  return {
    consentMarketing: false,
    consentMarketingAt: null,
    marketingStatus: keepsStatus ? before.marketingStatus : 'not_subscribed',
  };
};
