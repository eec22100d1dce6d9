/** A workspace, its agents, the keys made for it, and what has been done with them. */
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import type { Plan } from '../../core/plans.ts';
import type { Role } from '../../core/roles.ts';
import type { Scope } from '../../core/scopes.ts';
import { moment } from './columns.ts';

export type AgentStatus = 'live' | 'paused' | 'retired';

export const workspaces = pgTable('workspaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  createdAt: moment('created_at').notNull(),
});

export const agents = pgTable(
  'agents',
  {
    id: text().primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text().notNull(),
    status: text().$type<AgentStatus>().notNull(),
    language: text().$type<'english' | 'arabic' | 'bilingual'>().notNull(),
    publicKey: text('public_key').notNull().unique(),
    allowedOrigins: text('allowed_origins').array().notNull().default([]),
    timeZone: text('time_zone').notNull(),
    /** While an import runs: until when, should it die on the way. */
    importingUntil: moment('importing_until'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('agents_page').on(table.workspaceId, table.createdAt.desc(), table.id.desc())],
);

/** The people of the team. */
export const members = pgTable('members', {
  id: text().primaryKey(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  name: text().notNull(),
  email: text().notNull(),
  role: text().$type<Role>().notNull(),
  /** The agents they answer on; null: every agent of the workspace. */
  agentIds: text('agent_ids').array(),
  createdAt: moment('created_at').notNull(),
  /** When their membership ended, however it did. */
  endedAt: moment('ended_at'),
});

export const apiKeys = pgTable('api_keys', {
  id: text().primaryKey(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  kind: text().$type<'secret' | 'publishable'>().notNull(),
  label: text().notNull(),
  keyHash: text('key_hash').notNull().unique(),
  scopes: text().array().$type<Scope[]>().notNull(),
  /** The agents the key is limited to; null: every agent of the workspace. */
  agentIds: text('agent_ids').array(),
  /** Who made it: a key may do what they may. Null: the workspace itself, as its owner. */
  makerId: text('maker_id').references(() => members.id),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  revokedAt: moment('revoked_at'),
});

/** First answers, kept for 24 hours so that a repeated call gets the same one. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    apiKeyId: text('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    operation: text().notNull(),
    key: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    /** Who holds the running call, so that one that outlived its lease cannot write over its successor. */
    holder: text().notNull(),
    leaseUntil: moment('lease_until').notNull(),
    /** Null while the first call runs. */
    status: integer(),
    response: text(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.operation, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);

/** Calls counted against the limits of a minute, where several processes share them. */
export const rateCounts = pgTable('rate_counts', {
  bucket: text().primaryKey(),
  used: integer().notNull(),
  endsAt: moment('ends_at').notNull(),
});

/** Who did what that cannot be seen from the rows themselves. */
export const auditEntries = pgTable('audit_entries', {
  id: text().primaryKey(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  /** `lead.deleted`, say. */
  action: text().notNull(),
  /** The id of the thing it was done to. */
  target: text().notNull(),
  /** The key that did it; null when a member of the team did. */
  apiKeyId: text('api_key_id'),
  detail: jsonb().$type<JsonObject>().notNull().default({}),
  createdAt: moment('created_at').notNull(),
});
