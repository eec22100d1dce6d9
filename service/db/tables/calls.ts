/** The calls of actions, and the hosts that actions may call. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import { jsonb, moment, text } from './columns.ts';
import { conversations } from './conversations.ts';
import { actionColumn } from './knowledge.ts';
import { tickets } from './tickets.ts';
import { agentColumn } from './workspace.ts';

export type CallOutcome = 'worked' | 'failed' | 'refused' | 'waiting' | 'approved' | 'rejected' | 'expired' | 'sent';

export const actionCalls = pgTable(
  'action_calls',
  {
    id: text().primaryKey(),
    actionId: actionColumn(),
    conversationId: text('conversation_id').references(() => conversations.id, { onDelete: 'set null' }),
    ticketId: text('ticket_id').references(() => tickets.id, { onDelete: 'set null' }),
    outcome: text().$type<CallOutcome>().notNull(),
    reason: text(),
    detail: jsonb().$type<JsonObject>().notNull().default({}),
    latencyMs: integer('latency_ms'),
    /** Only the names of the inputs. Their values may be private. */
    inputs: text().array().notNull().default([]),
    /** The encrypted inputs until the call is sent. */
    encryptedArguments: text('sealed_arguments'),
    /** When the request was sent. Stored before it is sent, so that it is never sent twice. */
    startedAt: moment('started_at'),
    approval: jsonb().$type<JsonObject>(),
    result: jsonb().$type<JsonObject>(),
    /** A trial call by the owner. */
    preview: boolean().notNull().default(false),
    at: moment('at').notNull(),
  },
  (table) => [
    index('action_calls_page').on(table.actionId, table.at, table.id),
    // Few calls fail or wait, so these indexes stay small. The conditions are those of the queries, word for word.
    index('action_calls_failures')
      .on(table.actionId, table.at, table.id)
      .where(sql`outcome in ('failed', 'refused', 'expired')`),
    index('action_calls_waiting')
      .on(table.actionId)
      .where(sql`outcome = 'waiting'`),
    index('action_calls_conversation').on(table.conversationId),
    index('action_calls_ticket').on(table.ticketId),
    index('action_calls_age').on(table.at),
  ],
);

export const verifiedHosts = pgTable(
  'verified_hosts',
  {
    agentId: agentColumn(),
    host: text().notNull(),
    verifiedAt: moment('verified_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentId, table.host] })],
);
