/** Conversations, their messages and their client tool calls. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable } from 'drizzle-orm/pg-core';
import type {
  Block,
  ConversationStateName,
  JsonObject,
  Message,
  Outcome,
  Source as CitedSource,
} from '../../../contract/wire.ts';
import type { Language } from '../../core/language.ts';
import type { SearchExplanation } from '../../core/search-explanation.ts';
import { jsonb, originColumns, moment, text } from './columns.ts';
import { contacts } from './contacts.ts';
import { actionColumn } from './knowledge.ts';
import { agentColumn, workspaceColumn } from './workspace.ts';

export type Channel = 'website' | 'hosted' | 'api' | 'email' | 'slack' | 'voice_web';
export type ToolCallStatus = 'open' | 'answered' | 'timed_out' | 'abandoned';

export const conversations = pgTable(
  'conversations',
  {
    id: text().primaryKey(),
    workspaceId: workspaceColumn(),
    agentId: agentColumn(),
    channel: text().$type<Channel>().notNull(),
    state: text().$type<ConversationStateName>().notNull(),
    /** Null when a secret key started the conversation. */
    tokenHash: text('token_hash'),
    language: text().$type<Language>().notNull(),
    startedAt: moment('started_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    lastMessageAt: moment('last_message_at'),
    leadCaptured: boolean('lead_captured').notNull().default(false),
    /** The page on which the conversation started, without its query. */
    pageUrl: text('page_url'),
    ...originColumns(),
    /** Null until the conversation is closed. */
    summary: text(),
    /** The contact that the visitor has proven to be. */
    contactId: text('contact_id').references(() => contacts.id, { onDelete: 'set null' }),
    /** The identity that the page claims without proof. Nothing trusts it. */
    claim: jsonb().$type<JsonObject>(),
    /** When the conversation was counted against the monthly quota. */
    countedAt: moment('counted_at'),
    /** The lease of the turn that is running. */
    turnHolder: text('turn_holder'),
    turnUntil: moment('turn_until'),
  },
  (table) => [
    index('conversations_page').on(table.agentId, table.startedAt, table.id),
    index('conversations_state').on(table.agentId, table.state, table.startedAt, table.id),
    index('conversations_channel').on(table.agentId, table.channel, table.startedAt, table.id),
    index('conversations_contact').on(table.contactId),
    // For the retention.
    index('conversations_age').on(table.workspaceId, table.expiresAt),
  ],
);

export const messages = pgTable(
  'messages',
  {
    id: text().primaryKey(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The order of the messages. Two messages can have the same time. */
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    role: text().$type<'user' | 'assistant'>().notNull(),
    actorType: text('actor_type').$type<'visitor' | 'ai' | 'owner'>().notNull(),
    content: text().notNull(),
    /** Null for a visitor's message, and for a reply that was cut off. */
    outcome: text().$type<Outcome>(),
    refused: boolean().notNull().default(false),
    sources: jsonb().$type<CitedSource[]>().notNull().default([]),
    blocks: jsonb().$type<Block[]>(),
    /** What the search of a reply found. Null for a reply that needed none, and for one of an earlier version. */
    search: jsonb().$type<SearchExplanation>(),
    /** The visitor's rating of a reply. */
    feedback: jsonb().$type<NonNullable<Message['feedback']>>(),
    language: text().$type<Language>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('messages_page').on(table.conversationId, table.position),
    // For the questions without an answer.
    index('messages_unanswered')
      .on(table.createdAt)
      .where(sql`${table.outcome} in ('refused', 'handoff')`),
  ],
);

/** Requests to the visitor's app to run a client tool. */
export const toolCalls = pgTable(
  'tool_calls',
  {
    id: text().primaryKey(),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    actionId: actionColumn(),
    arguments: jsonb().$type<JsonObject>().notNull(),
    status: text().$type<ToolCallStatus>().notNull(),
    ok: boolean(),
    result: jsonb().$type<JsonObject>(),
    error: text(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    closedAt: moment('closed_at'),
  },
  (table) => [
    index('tool_calls_conversation').on(table.conversationId),
    index('tool_calls_action').on(table.actionId),
    index('tool_calls_age').on(table.expiresAt),
  ],
);
