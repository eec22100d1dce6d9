/** What actions were called with in conversations, and the hosts they may speak to. */
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import { moment } from './columns.ts';
import { conversations } from './conversations.ts';
import { actions } from './knowledge.ts';
import { tickets } from './tickets.ts';
import { agents } from './workspace.ts';

export type CallOutcome = 'worked' | 'failed' | 'refused' | 'waiting' | 'approved' | 'rejected' | 'expired' | 'sent';

export const actionCalls = pgTable(
  'action_calls',
  {
    id: text().primaryKey(),
    actionId: text('action_id')
      .notNull()
      .references(() => actions.id, { onDelete: 'cascade' }),
    conversationId: text('conversation_id').references(() => conversations.id, { onDelete: 'set null' }),
    ticketId: text('ticket_id').references(() => tickets.id, { onDelete: 'set null' }),
    outcome: text().$type<CallOutcome>().notNull(),
    reason: text(),
    detail: jsonb().$type<JsonObject>().notNull().default({}),
    latencyMs: integer('latency_ms'),
    /** Names only: what they were is nobody's to read. */
    inputs: text().array().notNull().default([]),
    /** While it waits for the team: the inputs, sealed. */
    encryptedArguments: text('sealed_arguments'),
    approval: jsonb().$type<JsonObject>(),
    result: jsonb().$type<JsonObject>(),
    /** The owner trying an action out. */
    preview: boolean().notNull().default(false),
    at: moment('at').notNull(),
  },
  (table) => [
    index('action_calls_page').on(table.actionId, table.at.desc(), table.id.desc()),
    index('action_calls_conversation').on(table.conversationId),
  ],
);

export const verifiedHosts = pgTable(
  'verified_hosts',
  {
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    host: text().notNull(),
    verifiedAt: moment('verified_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.host] })],
);
