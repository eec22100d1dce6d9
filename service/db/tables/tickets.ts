/** Tickets, their custom fields and the rules that tag them. */
import { index, integer, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import type { Language } from '../../core/language.ts';
import { jsonb, moment, text } from './columns.ts';
import { contacts } from './contacts.ts';
import { conversations, type Channel } from './conversations.ts';
import { agentColumn, members, workspaceColumn } from './workspace.ts';

export type TicketStatus = 'new' | 'on_you' | 'on_customer' | 'on_hold' | 'closed';

export const tickets = pgTable(
  'tickets',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    agentId: agentColumn(),
    /** A conversation has at most one ticket. */
    conversationId: text('conversation_id')
      .unique()
      .references(() => conversations.id, { onDelete: 'set null' }),
    contactId: text('contact_id').references(() => contacts.id, { onDelete: 'set null' }),
    teamId: text('team_id'),
    status: text().$type<TicketStatus>().notNull(),
    priority: text().$type<'low' | 'normal' | 'high'>().notNull().default('normal'),
    assigneeId: text('assignee_id').references(() => members.id),
    subject: text().notNull(),
    channel: text().$type<Channel>().notNull(),
    language: text().$type<Language>().notNull(),
    source: text().$type<'handoff' | 'conversation'>().notNull(),
    custom: jsonb().$type<JsonObject>().notNull().default({}),
    tags: text().array().notNull().default([]),
    handoffAt: moment('handoff_at'),
    firstResponseAt: moment('first_response_at'),
    firstResponseSeconds: integer('first_response_seconds'),
    lastCustomerMessageAt: moment('last_customer_message_at'),
    lastAgentMessageAt: moment('last_agent_message_at'),
    closedAt: moment('closed_at'),
    /** The member who closed the ticket, or null when an API key did. */
    closedBy: text('closed_by').references(() => members.id),
    csatScore: integer('csat_score'),
    csatComment: text('csat_comment'),
    csatAt: moment('csat_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('tickets_page').on(table.workspaceId, table.createdAt, table.id),
    index('tickets_status').on(table.workspaceId, table.status, table.createdAt, table.id),
    // For `agent_id`, and for keys that are limited to some agents.
    index('tickets_agent').on(table.agentId, table.createdAt, table.id),
    index('tickets_assignee').on(table.assigneeId, table.createdAt, table.id),
    index('tickets_contact').on(table.contactId),
    // The order of the inbox.
    index('tickets_updated').on(table.workspaceId, table.updatedAt, table.id),
  ],
);

/** The tags of the tickets, a row each, so that the list of a tag is read from an index. A trigger on `tickets` writes them. */
export const ticketTags = pgTable(
  'ticket_tags',
  {
    ticketId: text('ticket_id')
      .notNull()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    tag: text().notNull(),
    workspaceId: workspaceColumn(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticketId, table.tag] }),
    index('ticket_tags_page').on(table.workspaceId, table.tag, table.createdAt, table.ticketId),
  ],
);

export const ticketFields = pgTable(
  'ticket_fields',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    key: text().notNull(),
    label: text().notNull(),
    kind: text().$type<'text' | 'number' | 'boolean' | 'select'>().notNull(),
    options: text().array().notNull().default([]),
  },
  (table) => [uniqueIndex('ticket_fields_key').on(table.workspaceId, table.key)],
);

/** A ticket whose subject contains the words gets the tag. */
export const tagRules = pgTable('tag_rules', {
  id: text().primaryKey(),
  workspaceId: workspaceColumn(),
  words: text().notNull(),
  tag: text().notNull(),
});
