/** Conversations: how one starts, who may continue it, and how its state changes. */
import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { conversationLifetimeMs } from '../../contract/limits.ts';
import { rememberConversation, summariseConversation } from '../contacts/summary.ts';
import { ApiError } from '../core/errors.ts';
import { derivedId, matchesHash, newConversationToken, newId, sha256 } from '../core/ids.ts';
import type { KeyAccess } from '../core/key-access.ts';
import type { Language } from '../core/language.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import type { Agent, Conversation } from '../db/records.ts';
import { conversations, type Channel } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { addJob } from '../jobs/queue.ts';
import { serialiseConversation } from '../resources/conversation.ts';
import { openHandoffTicket } from '../tickets/conversation-ticket.ts';
import type { VisitOrigin } from './visit-origin.ts';

/**
 * A publishable key has to send the conversation's token. Every failure gives the same error, so that a
 * caller cannot find out which ids exist.
 */
export const findConversation = async (
  db: Db,
  key: KeyAccess,
  agentId: string,
  id: string,
  token: string | undefined,
): Promise<Conversation> => {
  const [conversation] = await db
    .select()
    .from(conversations)
    .where(
      and(eq(conversations.id, id), eq(conversations.agentId, agentId), eq(conversations.workspaceId, key.workspaceId)),
    );
  if (key.kind === 'secret') {
    if (!conversation) throw new ApiError('not_found');
    return conversation;
  }
  const tokenHash = conversation?.tokenHash ?? null;
  const isProven = tokenHash !== null && token !== undefined && matchesHash(token, tokenHash);
  if (!conversation || !isProven) throw new ApiError('conversation_not_found');
  return conversation;
};

export const hasEnded = (conversation: Conversation, at: number): boolean => {
  return conversation.state === 'closed' || conversation.expiresAt.getTime() <= at;
};

interface NewConversation {
  key: KeyAccess;
  agent: Agent;
  language: Language;
  visitOrigin: VisitOrigin;
  channel: Channel | undefined;
  /** See `RepeatableCall`. A second attempt of the same call finds the conversation of the first. */
  idSeed: string | undefined;
}

/** Returns the token for a publishable key only. The database has its hash, so it cannot be read again later. */
export const startConversation = async (
  { db, now }: DatabaseContext,
  { key, agent, language, visitOrigin, channel = 'api', idSeed }: NewConversation,
): Promise<{ conversation: Conversation; token: string | undefined }> => {
  const token = key.kind === 'publishable' ? newConversationToken() : undefined;
  const tokenHash = token === undefined ? null : sha256(token);
  const at = now();
  const id = idSeed === undefined ? newId('cnv') : derivedId('cnv', idSeed);
  const conversation = await db.transaction(async (tx) => {
    const [started] = await tx
      .insert(conversations)
      .values({
        id,
        workspaceId: agent.workspaceId,
        agentId: agent.id,
        channel,
        state: 'ai_active',
        tokenHash,
        language,
        ...visitOrigin,
        startedAt: new Date(at),
        expiresAt: new Date(at + conversationLifetimeMs),
      })
      .onConflictDoNothing()
      .returning();
    if (!started) {
      // The first attempt of the call never returned its token, so a new one can replace it.
      const [existing] = await tx.update(conversations).set({ tokenHash }).where(eq(conversations.id, id)).returning();
      return existing!;
    }
    await addJob(tx, 'close_conversation', { conversation: started.id }, new Date(at + conversationLifetimeMs));
    await emitConversationEvent(tx, started, 'conversation.started', new Date(at));
    return started;
  });
  return { conversation, token };
};

/** Requests a person of the team, unless one was requested already. */
export const requestHandoff = async ({ db, now }: DatabaseContext, conversationId: string): Promise<void> => {
  await db.transaction(async (tx) => {
    const [changed] = await tx
      .update(conversations)
      .set({ state: 'handoff_requested' })
      .where(and(eq(conversations.id, conversationId), eq(conversations.state, 'ai_active')))
      .returning();
    if (!changed) return;
    await emitConversationEvent(tx, changed, 'conversation.handoff_requested', new Date(now()));
    await openHandoffTicket(tx, changed, new Date(now()));
  });
};

/** Closes a conversation, unless it is closed already. */
export const closeConversation = async ({ db, now }: DatabaseContext, conversationId: string): Promise<void> => {
  await db.transaction(async (tx) => {
    const [closed] = await tx
      .update(conversations)
      .set({ state: 'closed' })
      .where(and(eq(conversations.id, conversationId), ne(conversations.state, 'closed')))
      .returning();
    if (!closed) return;
    const summary = await summariseConversation(tx, closed);
    await tx.update(conversations).set({ summary }).where(eq(conversations.id, conversationId));
    if (summary !== null) await rememberConversation(tx, closed, summary, new Date(now()));
    await emitConversationEvent(tx, { ...closed, summary }, 'conversation.closed', new Date(now()));
  });
};

type ConversationEvent = 'conversation.started' | 'conversation.handoff_requested' | 'conversation.closed';

const emitConversationEvent = async (
  tx: Db,
  conversation: Conversation,
  type: ConversationEvent,
  at: Date,
): Promise<void> => {
  const { workspaceId, agentId } = conversation;
  await emit(tx, { workspaceId, agentId, type, data: serialiseConversation(conversation), at });
};

/** Returns the members of a chat response that describe the conversation's current state. */
export const currentState = async (
  db: Db,
  conversationId: string,
): Promise<{ state: Conversation['state']; lead_captured: boolean }> => {
  const [row] = await db
    .select({ state: conversations.state, lead_captured: conversations.leadCaptured })
    .from(conversations)
    .where(eq(conversations.id, conversationId));
  return row ?? { state: 'closed', lead_captured: false };
};

/** The state as an SQL expression: `closed` for every conversation that is older than 24 hours. */
export const effectiveState = (now: () => number): SQL<Conversation['state']> => {
  return sql<
    Conversation['state']
  >`case when ${conversations.expiresAt} <= ${new Date(now()).toISOString()}::timestamptz
    then 'closed' else ${conversations.state} end`;
};
