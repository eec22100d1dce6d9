/** Contacts, notes of their conversations, identity secrets and the monthly quota. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import { jsonb, moment, text } from './columns.ts';
import { agentColumn, agents, workspaceColumn } from './workspace.ts';

export type ContactSource = 'manual' | 'import' | 'identify' | 'lead' | 'api';
export type MarketingStatus = 'subscribed' | 'not_subscribed' | 'unsubscribed' | 'bounced' | 'complained';

/** The forms of an address that contacts are found by, of which another contact may be the holder. */
const lowerEmail = sql`lower("email")`;
const phoneDigits = sql.raw(
  String.raw`regexp_replace(regexp_replace(translate("phone", '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '\D', '', 'g'), '^00', '')`,
);
const waitsForEmail = sql`"email_key" is null and "email" <> ''`;
const waitsForPhone = sql`"phone_key" is null and "phone" <> ''`;

/** The contacts that have an address of another one, and become its holder when that one is deleted or changed. */
export const waitingContacts = {
  emailKey: { isWaiting: waitsForEmail, address: lowerEmail },
  phoneKey: { isWaiting: waitsForPhone, address: phoneDigits },
};

export const contacts = pgTable(
  'contacts',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    externalId: text('external_id'),
    name: text().notNull().default(''),
    email: text().notNull().default(''),
    phone: text().notNull().default(''),
    /** The normalized address that the contact is found by. Null when it is empty or belongs to another contact. */
    emailKey: text('email_key'),
    phoneKey: text('phone_key'),
    attributes: jsonb().$type<JsonObject>().notNull().default({}),
    verified: boolean().notNull().default(false),
    source: text().$type<ContactSource>().notNull(),
    consentMarketing: boolean('consent_marketing'),
    consentMarketingAt: moment('consent_marketing_at'),
    locale: text().$type<'en' | 'ar' | ''>().notNull().default(''),
    marketingStatus: text('marketing_status').$type<MarketingStatus>().notNull().default('not_subscribed'),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('contacts_external_id').on(table.workspaceId, table.externalId),
    uniqueIndex('contacts_email').on(table.workspaceId, table.emailKey),
    uniqueIndex('contacts_phone').on(table.workspaceId, table.phoneKey),
    index('contacts_page').on(table.workspaceId, table.lastSeenAt, table.id),
    index('contacts_waiting_email').on(table.workspaceId, lowerEmail).where(waitsForEmail),
    index('contacts_waiting_phone').on(table.workspaceId, phoneDigits).where(waitsForPhone),
    index('contacts_verified').on(table.workspaceId, table.verified, table.lastSeenAt, table.id),
  ],
);

/**
 * The agents with a conversation or a lead of the contact, so that the list of an agent's contacts is read from an index.
 * Triggers add the rows and keep `last_seen_at` equal to that of the contact. A row stays when its conversation or lead is
 * deleted, so a query also checks that there still is one.
 */
export const contactAgents = pgTable(
  'contact_agents',
  {
    contactId: text('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    agentId: agentColumn(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.contactId, table.agentId] }),
    index('contact_agents_page').on(table.agentId, table.lastSeenAt, table.contactId),
  ],
);

/** Summaries of a verified contact's conversations, for the agent of the conversation. */
export const memories = pgTable(
  'memories',
  {
    id: text().primaryKey(),
    contactId: text('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    agentId: agentColumn(),
    summary: text().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('memories_contact').on(table.contactId, table.agentId, table.createdAt, table.id),
    index('memories_agent').on(table.agentId),
  ],
);

export const identitySecrets = pgTable('identity_secrets', {
  agentId: text('agent_id')
    .primaryKey()
    .references(() => agents.id, { onDelete: 'cascade' }),
  encrypted: text('sealed').notNull(),
  /** The previous secret is valid until `previousUntil`. */
  previousEncrypted: text('previous_sealed'),
  previousUntil: moment('previous_until'),
});

/** Conversations bought on top of the plan, for one month. */
export const topUps = pgTable('top_ups', {
  id: text().primaryKey(),
  workspaceId: workspaceColumn(),
  /** The first day of the month in UTC: `2026-10-01`. */
  month: text().notNull(),
  conversations: integer().notNull(),
});

/** The conversations and messages of each agent and month. The counts stay when messages are deleted. */
export const monthlyUsage = pgTable(
  'monthly_usage',
  {
    workspaceId: workspaceColumn(),
    /** The first day of the month in UTC: `2026-10-01`. */
    month: text().notNull(),
    agentId: text('agent_id').notNull(),
    conversations: integer().notNull(),
    messages: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.month, table.agentId] })],
);

/** The usage thresholds that were reached in a month, so that each event is emitted once. */
export const usageAlerts = pgTable(
  'usage_alerts',
  {
    workspaceId: workspaceColumn(),
    month: text().notNull(),
    percent: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.month, table.percent] })],
);
