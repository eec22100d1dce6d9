/** The data that conversations collect: lead fields, leads, form submissions and bookings. */
import { boolean, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { FieldKind, JsonObject } from '../../../contract/wire.ts';
import { jsonb, originColumns, moment, text } from './columns.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { actionColumn } from './knowledge.ts';
import { agentColumn, workspaceColumn } from './workspace.ts';

export type LeadStatus = 'new' | 'qualified' | 'closed';

/** The fields that an agent asks of a lead, in the order that the owner chose. */
export const leadFields = pgTable(
  'lead_fields',
  {
    id: text().primaryKey(),
    agentId: agentColumn(),
    /** The name of the field's value in a lead's `data`. */
    key: text().notNull(),
    labelEn: text('label_en').notNull(),
    labelAr: text('label_ar').notNull().default(''),
    kind: text().$type<FieldKind>().notNull(),
    options: text().array().notNull().default([]),
    required: boolean().notNull().default(false),
    askWhen: text('ask_when').$type<'always' | 'if_missing'>().notNull().default('always'),
    position: integer().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [uniqueIndex('lead_fields_key').on(table.agentId, table.key)],
);

export const leads = pgTable(
  'leads',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    agentId: agentColumn(),
    conversationId: text('conversation_id').references(() => conversations.id, { onDelete: 'set null' }),
    contactId: text('contact_id').references(() => contacts.id, { onDelete: 'cascade' }),
    name: text(),
    contact: text(),
    interest: text(),
    channel: text(),
    ...originColumns(),
    status: text().$type<LeadStatus>().notNull().default('new'),
    data: jsonb().$type<JsonObject>().notNull().default({}),
    notes: text(),
    createdAt: moment('created_at').notNull(),
    /** Null until the lead is edited. */
    updatedAt: moment('updated_at'),
  },
  (table) => [
    index('leads_page').on(table.workspaceId, table.createdAt, table.id),
    index('leads_status').on(table.workspaceId, table.status, table.createdAt, table.id),
    // For `agent_id`, and for keys that are limited to some agents.
    index('leads_agent').on(table.agentId, table.createdAt, table.id),
    index('leads_conversation').on(table.conversationId),
    index('leads_contact').on(table.contactId),
  ],
);

/** Submitted forms. */
export const submissions = pgTable(
  'submissions',
  {
    id: text().primaryKey(),
    agentId: agentColumn(),
    actionId: actionColumn(),
    conversationId: text('conversation_id').references(() => conversations.id, { onDelete: 'set null' }),
    /** The message that showed the form. A form can be submitted once. */
    formMessageId: text('form_message_id').notNull().unique(),
    data: jsonb().$type<JsonObject>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('submissions_page').on(table.agentId, table.createdAt, table.id),
    index('submissions_action').on(table.actionId, table.createdAt, table.id),
    index('submissions_conversation').on(table.conversationId),
  ],
);

/** Booked times. A time can be booked once. */
export const bookings = pgTable(
  'bookings',
  {
    id: text().primaryKey(),
    actionId: actionColumn(),
    conversationId: text('conversation_id').references(() => conversations.id, { onDelete: 'set null' }),
    leadId: text('lead_id').references(() => leads.id, { onDelete: 'set null' }),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('bookings_place').on(table.actionId, table.startsAt),
    index('bookings_conversation').on(table.conversationId),
    index('bookings_lead').on(table.leadId),
  ],
);
