/** Conversations, what was said in them, and the tools the visitor's app was asked to run. */
import { bigint, boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type {
  Block,
  ConversationStateName,
  JsonObject,
  Message,
  Outcome,
  Source as AnswerSource,
} from '../../../contract/wire.ts';
import type { Language } from '../../core/language.ts';
import { cameFrom, moment } from './columns.ts';
import { contacts } from './contacts.ts';
import { actions } from './knowledge.ts';
import { agents, workspaces } from './workspace.ts';

export type Channel = 'website' | 'hosted' | 'api' | 'email' | 'slack' | 'voice_web';
export type ToolCallStatus = 'open' | 'answered' | 'timed_out' | 'abandoned';

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
    /** The page it was started on, without its query. */
    pageUrl: text('page_url'),
    ...cameFrom(),
    /** What it came to, once it has ended. */
    summary: text(),
    /** Who the visitor has proven to be. */
    contactId: text('contact_id').references(() => contacts.id, { onDelete: 'set null' }),
    /** Who their page says they are; nothing trusts it. */
    claim: jsonb().$type<JsonObject>(),
    /** When it was counted against the month's allowance. */
    countedAt: moment('counted_at'),
    /** The turn that runs in it, until when unless renewed: turns of one conversation take turns. */
    turnHolder: text('turn_holder'),
    turnUntil: moment('turn_until'),
  },
  (table) => [
    index('conversations_page').on(table.agentId, table.startedAt.desc(), table.id.desc()),
    index('conversations_counted').on(table.workspaceId, table.countedAt),
    index('conversations_contact').on(table.contactId),
  ],
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
    /** What the visitor thought of an answer. */
    feedback: jsonb().$type<NonNullable<Message['feedback']>>(),
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
