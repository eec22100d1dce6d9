/** The tables. Ids are prefixed strings, times are UTC with milliseconds, secrets are kept as SHA-256 only. */
import { sql, type SQL } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type {
  Availability,
  Block,
  ConversationStateName,
  JsonObject,
  Outcome,
  Source as AnswerSource,
} from '../../../src/api/wire.ts';
import type { Scope } from '../http/scopes.ts';

export type Language = 'en' | 'ar';
export type AgentStatus = 'live' | 'paused' | 'retired';
export type ActionKind = 'http' | 'collect_data' | 'client_tool' | 'integration';
export type SourceType = 'text' | 'file' | 'website' | 'sheet' | 'qa_bulk' | 'faq' | 'research';
export type SourceStatus = 'uploaded' | 'crawling' | 'parsing' | 'chunking' | 'embedding' | 'indexed' | 'failed';
export type Channel = 'website' | 'hosted' | 'api' | 'email' | 'slack' | 'voice_web';
export type ToolCallStatus = 'open' | 'answered' | 'timed_out' | 'abandoned';

/** One question with its answer and the other ways of asking it. */
export interface QuestionItem {
  question: string;
  answer: string;
  alternatives: string[];
}

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** Milliseconds, because a page cursor made from microseconds read back as milliseconds would skip rows. */
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const workspaces = pgTable('workspaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  plan: text().$type<'starter' | 'team' | 'business'>().notNull(),
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
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('agents_page').on(table.workspaceId, table.createdAt.desc(), table.id.desc())],
);

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
  makerRole: text('maker_role').notNull().default('owner'),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  revokedAt: moment('revoked_at'),
});

export const sources = pgTable(
  'sources',
  {
    id: text().primaryKey(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    type: text().$type<SourceType>().notNull(),
    name: text().notNull(),
    status: text().$type<SourceStatus>().notNull(),
    error: text(),
    version: integer().notNull().default(1),
    sourceUrl: text('source_url'),
    /** What a text source holds. */
    content: text(),
    /** What a batch of questions and answers holds. */
    items: jsonb().$type<QuestionItem[]>(),
    chunkCount: integer('chunk_count').notNull().default(0),
    extractedChars: integer('extracted_chars').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [index('sources_page').on(table.agentId, table.createdAt.desc(), table.id.desc())],
);

export const actions = pgTable(
  'actions',
  {
    id: text().primaryKey(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    kind: text().$type<ActionKind>().notNull(),
    descriptionEn: text('description_en').notNull().default(''),
    descriptionAr: text('description_ar').notNull().default(''),
    inputSchema: jsonb('input_schema').$type<JsonObject>().notNull().default({}),
    config: jsonb().$type<JsonObject>().notNull().default({}),
    enabled: boolean().notNull().default(false),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [uniqueIndex('actions_name').on(table.agentId, table.name)],
);

/** What search looks through: a passage of a source, a wording of a question, or a way of asking for an action. */
export const chunks = pgTable(
  'chunks',
  {
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    sourceId: text('source_id').references(() => sources.id, { onDelete: 'cascade' }),
    actionId: text('action_id').references(() => actions.id, { onDelete: 'cascade' }),
    kind: text().$type<'passage' | 'question' | 'action'>().notNull(),
    language: text().$type<Language>().notNull(),
    /** A passage's heading, or the question asked. */
    title: text().notNull(),
    /** What is said: the passage or the answer. */
    body: text().notNull(),
    titleTerms: text('title_terms').notNull(),
    bodyTerms: text('body_terms').notNull(),
    vector: searchVector().generatedAlwaysAs(
      (): SQL => sql`to_tsvector('simple', ${chunks.titleTerms} || ' ' || ${chunks.bodyTerms})`,
    ),
  },
  (table) => [
    index('chunks_agent').on(table.agentId, table.language),
    index('chunks_vector').using('gin', table.vector),
  ],
);

export const products = pgTable('products', {
  id: text().primaryKey(),
  agentId: text('agent_id')
    .notNull()
    .references(() => agents.id, { onDelete: 'cascade' }),
  nameEn: text('name_en').notNull(),
  nameAr: text('name_ar').notNull(),
  descriptionEn: text('description_en').notNull(),
  descriptionAr: text('description_ar').notNull(),
  price: numeric({ precision: 10, scale: 3, mode: 'number' }).notNull(),
  currency: text().notNull(),
  availability: text().$type<Availability>().notNull(),
  url: text(),
  position: integer().notNull(),
});

export const conversations = pgTable(
  'conversations',
  {
    id: text().primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    channel: text().$type<Channel>().notNull(),
    state: text().$type<ConversationStateName>().notNull(),
    /** Only where a publishable key started the conversation. */
    tokenHash: text('token_hash'),
    language: text().$type<Language>().notNull(),
    startedAt: moment('started_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    lastMessageAt: moment('last_message_at'),
    leadCaptured: boolean('lead_captured').notNull().default(false),
  },
  (table) => [index('conversations_page').on(table.agentId, table.startedAt.desc(), table.id.desc())],
);

export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The order in which things were said: two messages can share a millisecond. */
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    role: text().$type<'user' | 'assistant'>().notNull(),
    actorType: text('actor_type').$type<'visitor' | 'ai' | 'owner'>().notNull(),
    content: text().notNull(),
    /** Null on a visitor's message, and on an answer that was cut off when its reader left. */
    outcome: text().$type<Outcome>(),
    refused: boolean().notNull().default(false),
    sources: jsonb().$type<AnswerSource[]>().notNull().default([]),
    blocks: jsonb().$type<Block[]>(),
    language: text().$type<Language>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('messages_page').on(table.conversationId, table.position)],
);

/** A client tool the visitor's app was asked to run. */
export const toolCalls = pgTable('tool_calls', {
  id: text().primaryKey(),
  conversationId: text('conversation_id')
    .notNull()
    .references(() => conversations.id, { onDelete: 'cascade' }),
  actionId: text('action_id')
    .notNull()
    .references(() => actions.id, { onDelete: 'cascade' }),
  arguments: jsonb().$type<JsonObject>().notNull(),
  status: text().$type<ToolCallStatus>().notNull(),
  ok: boolean(),
  result: jsonb().$type<JsonObject>(),
  error: text(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  closedAt: moment('closed_at'),
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
