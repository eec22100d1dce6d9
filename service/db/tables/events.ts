/** Events, webhook endpoints, deliveries, background jobs and notices to owners. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, uniqueIndex } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import type { Role } from '../../core/roles.ts';
import type { EventType } from '../../core/event-types.ts';
import { jsonb, moment, text } from './columns.ts';
import { agents, members, workspaceColumn } from './workspace.ts';

export const events = pgTable(
  'events',
  {
    /** `evt_…`, the same for every delivery. */
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    agentId: text('agent_id'),
    type: text().$type<EventType>().notNull(),
    data: jsonb().$type<JsonObject>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('events_age').on(table.createdAt)],
);

export type DisabledReason = 'failures' | 'owner' | 'maker_left';

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    /** The agent whose events the endpoint receives, or null for all agents. */
    agentId: text('agent_id').references(() => agents.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    events: text().array().$type<EventType[]>().notNull(),
    description: text(),
    encryptedSecret: text('sealed_secret').notNull(),
    enabled: boolean().notNull().default(true),
    disabledReason: text('disabled_reason').$type<DisabledReason>(),
    failuresInRow: integer('failures_in_row').notNull().default(0),
    /** Whether the last attempt failed. Such an endpoint has one attempt in flight. */
    isFailing: boolean('is_failing').notNull().default(false),
    makerId: text('maker_id').references(() => members.id),
    /** The bot plugin that owns the endpoint. The API does not show such endpoints. */
    plugin: text(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('webhook_endpoints_page').on(table.workspaceId, table.createdAt, table.id)],
);

export const deliveries = pgTable(
  'deliveries',
  {
    /** Hexadecimal, because it is part of the header `X-Service-Delivery`. */
    id: text().primaryKey(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventId: text('event_id')
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    status: text().$type<'pending' | 'succeeded' | 'failed'>().notNull(),
    /** Incremented before each attempt, so that no two attempts have the same number. */
    attempts: integer().notNull().default(0),
    /** Failed attempts since the event or the last replay. */
    failures: integer().notNull().default(0),
    lastStatus: integer('last_status'),
    lastError: text('last_error'),
    lastAttemptAt: moment('last_attempt_at'),
    nextAttemptAt: moment('next_attempt_at'),
    /** The lease of the attempt in flight. */
    holder: text(),
    lockedUntil: moment('locked_until'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('deliveries_log').on(table.endpointId, table.createdAt, table.id),
    // Read backwards for the newest first.
    index('deliveries_failed')
      .on(table.endpointId, table.createdAt, table.id)
      .where(sql`${table.status} = 'failed'`),
    index('deliveries_due')
      .on(table.endpointId, table.nextAttemptAt, table.id)
      .where(sql`${table.status} = 'pending' and ${table.holder} is null`),
    index('deliveries_in_flight')
      .on(table.endpointId)
      .where(sql`${table.holder} is not null`),
    index('deliveries_event').on(table.eventId),
  ],
);

/** Background jobs. A row is deleted when its job is done. */
export const jobs = pgTable(
  'jobs',
  {
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    kind: text().notNull(),
    payload: jsonb().$type<JsonObject>().notNull(),
    runAt: moment('run_at').notNull(),
    attempts: integer().notNull().default(0),
    holder: text(),
    lockedUntil: moment('locked_until'),
  },
  (table) => [
    index('jobs_due').on(table.kind, table.runAt, table.id),
    // All processes share one job of a recurring kind.
    uniqueIndex('jobs_recurring')
      .on(table.kind)
      .where(sql`${table.kind} = 'prune'`),
  ],
);

export interface NoticeDetail {
  webhook_disabled: { webhook_id: string; url: string };
  member_invited: { role: Role };
  quota_reached: { percent: number; used: number; total: number };
}

export type NoticeKind = keyof NoticeDetail;

/** `stored`: no mail server was configured. */
export type NoticeStatus = 'pending' | 'stored' | 'sent' | 'failed';

/** E-mail notices to members of the team. */
export const notices = pgTable(
  'notices',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    kind: text().$type<NoticeKind>().notNull(),
    recipient: text().notNull(),
    detail: jsonb().$type<NoticeDetail[NoticeKind]>().notNull(),
    status: text().$type<NoticeStatus>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** A code of the program or of SMTP. */
    lastError: text('last_error'),
    sentAt: moment('sent_at'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('notices_page').on(table.workspaceId, table.createdAt, table.id)],
);
