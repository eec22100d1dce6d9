/** Workspaces with their agents, members and API keys, and the audit log. */
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../../contract/wire.ts';
import type { Plan } from '../../core/plans.ts';
import type { Role } from '../../core/roles.ts';
import type { Scope } from '../../core/scopes.ts';
import { jsonb, moment, text } from './columns.ts';

export type AgentStatus = 'live' | 'paused' | 'retired';

export const workspaces = pgTable('workspaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().$type<Plan>().notNull(),
  /** Days that ended conversations, and contacts without any, are stored. 0 is forever, null is the setting of the service. */
  conversationRetentionDays: integer('conversation_retention_days'),
  contactRetentionDays: integer('contact_retention_days'),
  createdAt: moment('created_at').notNull(),
});

/** The column of a table whose rows belong to a workspace. */
export const workspaceColumn = () =>
  text('workspace_id')
    .notNull()
    .references(() => workspaces.id);

export const agents = pgTable(
  'agents',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    name: text().notNull(),
    status: text().$type<AgentStatus>().notNull(),
    language: text().$type<'english' | 'arabic' | 'bilingual'>().notNull(),
    publicKey: text('public_key').notNull().unique(),
    allowedOrigins: text('allowed_origins').array().notNull().default([]),
    timeZone: text('time_zone').notNull(),
    /** Changes with the sources, actions and lead fields of the agent. Triggers of the database change it. */
    knowledgeRevision: text('knowledge_revision').notNull().default(''),
    /** The end of the lease of a running question import. */
    importingUntil: moment('importing_until'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('agents_page').on(table.workspaceId, table.createdAt, table.id)],
);

/** The column of a table whose rows are deleted with their agent. */
export const agentColumn = () =>
  text('agent_id')
    .notNull()
    .references(() => agents.id, { onDelete: 'cascade' });

/** The members of the team. */
export const members = pgTable('members', {
  id: text().primaryKey(),
  workspaceId: workspaceColumn(),
  name: text().notNull(),
  email: text().notNull(),
  role: text().$type<Role>().notNull(),
  /** The agents that the member replies for, or null for every agent of the workspace. */
  agentIds: text('agent_ids').array(),
  createdAt: moment('created_at').notNull(),
  /** When the membership ended, for any reason. */
  endedAt: moment('ended_at'),
  /** How often the member has signed out. A session has the number of its time, and ends with the next one. */
  signOuts: integer('sign_outs').notNull().default(0),
});

export const apiKeys = pgTable('api_keys', {
  id: text().primaryKey(),
  workspaceId: workspaceColumn(),
  kind: text().$type<'secret' | 'publishable'>().notNull(),
  label: text().notNull(),
  keyHash: text('key_hash').notNull().unique(),
  scopes: text().array().$type<Scope[]>().notNull(),
  /** The agents that the key is limited to, or null for every agent of the workspace. */
  agentIds: text('agent_ids').array(),
  /** The member who made the key, whose role limits it. Null means the owner of the workspace. */
  makerId: text('maker_id').references(() => members.id),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  revokedAt: moment('revoked_at'),
});

/** The two keys of the demo, so that they are made once for a workspace. Encrypted, because the other table has only hashes. */
export const demoKeyPairs = pgTable('demo_keys', {
  workspaceId: text('workspace_id')
    .primaryKey()
    .references(() => workspaces.id),
  encrypted: text().notNull(),
  /** The hashes of all first keys that were inserted, so that none is inserted again after it was revoked. */
  keyHashes: text('key_hashes').array().notNull(),
});

/** The first response of each Idempotency-Key, stored for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    apiKeyId: text('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    operation: text().notNull(),
    key: text().notNull(),
    bodyHash: text('body_hash').notNull(),
    /** The holder of the lease, so that a call whose lease has ended cannot overwrite the call that took over. */
    holder: text().notNull(),
    leaseUntil: moment('lease_until').notNull(),
    /** Null while the call runs. */
    status: integer(),
    response: text(),
    /** The encrypted members of the response that only its first caller gets again. */
    encryptedMembers: text('encrypted_members'),
    /** The hash of the first caller's address, when there are such members. */
    callerHash: text('caller_hash'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.apiKeyId, table.operation, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);

/** The counters of the rate limits, when several processes share them. */
export const rateCounts = pgTable('rate_counts', {
  bucket: text().primaryKey(),
  used: integer().notNull(),
  endsAt: moment('ends_at').notNull(),
});

/** The audit log of changes that the other tables do not show. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    /** For example `lead.deleted`. */
    action: text().notNull(),
    /** The id of the changed resource. */
    target: text().notNull(),
    /** The API key that made the change. */
    apiKeyId: text('api_key_id'),
    /** The member of the team who made the change on the dashboard. Null for a call of the API. */
    memberId: text('member_id'),
    detail: jsonb().$type<JsonObject>().notNull().default({}),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('audit_entries_age').on(table.createdAt),
    index('audit_entries_page').on(table.workspaceId, table.createdAt, table.id),
  ],
);
