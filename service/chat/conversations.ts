/** Conversations: who may continue one, how one starts, and what has been said in it. */
import { and, desc, eq, lt, ne, sql, type InferSelectModel } from 'drizzle-orm';
import { conversationLifetimeMs } from '../../contract/limits.ts';
import type { Answer } from '../replies/reply-source.ts';
import { languageOf } from '../core/language.ts';
import type { Db } from '../db/open.ts';
import type { Language } from '../core/language.ts';
import { agents, conversations, messages } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import { addJob } from '../jobs/queue.ts';
import { reaches } from '../http/authenticate.ts';
import type { ApiKey, Dependencies } from '../http/environment.ts';
import { ApiError } from '../core/errors.ts';
import { rememberConversation, summariseConversation } from '../contacts/summary.ts';
import { recordCustomerMessage, openHandoffTicket, recordTeamMessage } from '../tickets/conversation-ticket.ts';
import { serialiseConversation } from '../resources/conversation.ts';
import { serialiseMessage } from '../resources/message.ts';
import type { VisitOrigin } from './visit-origin.ts';
import { derivedId, matchesHash, newConversationToken, newId, sha256 } from '../core/ids.ts';

export type Agent = InferSelectModel<typeof agents>;
export type Conversation = InferSelectModel<typeof conversations>;
export type StoredMessage = InferSelectModel<typeof messages>;

/** How much of a conversation an answer is given to read. */
const historyLength = 12;

/** The agent a key asks for. One of another workspace or outside the key's allowlist is not there at all. */
export const findAgent = async (db: Db, key: ApiKey, agentId: string): Promise<Agent> => {
  const [agent] = await db
    .select()
    .from(agents)
    .where(and(eq(agents.id, agentId), eq(agents.workspaceId, key.workspaceId)));
  if (!agent || !reaches(key, agent.id)) throw new ApiError('not_found');
  return agent;
};

/** A publishable key proves with the token that the conversation is its visitor's; every failure looks the same. */
export const findConversation = async (
  db: Db,
  key: ApiKey,
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
  const proven =
    conversation?.tokenHash !== undefined &&
    conversation.tokenHash !== null &&
    token !== undefined &&
    matchesHash(token, conversation.tokenHash);
  if (!proven) throw new ApiError('conversation_not_found');
  return conversation;
};

export const hasEnded = (conversation: Conversation, at: number): boolean => {
  return conversation.state === 'closed' || conversation.expiresAt.getTime() <= at;
};

/**
 * `token` only for a publishable key: this is the only time it is seen in the clear. `seed` names a call that may have
 * been begun by a process that died: the conversation it started then is the one.
 */
export const startConversation = async (
  { db, now }: Dependencies,
  { key, agent, language, cameFrom, seed }: NewConversation,
): Promise<{ conversation: Conversation; token: string | undefined }> => {
  const token = key.kind === 'publishable' ? newConversationToken() : undefined;
  const tokenHash = token === undefined ? null : sha256(token);
  const at = now();
  const id = seed === undefined ? newId('cnv') : derivedId('cnv', seed);
  const conversation = await db.transaction(async (tx) => {
    const [started] = await tx
      .insert(conversations)
      .values({
        id,
        workspaceId: agent.workspaceId,
        agentId: agent.id,
        channel: 'api',
        state: 'ai_active',
        tokenHash,
        language,
        ...cameFrom,
        startedAt: new Date(at),
        expiresAt: new Date(at + conversationLifetimeMs),
      })
      .onConflictDoNothing()
      .returning();
    if (!started) {
      // Nobody was ever told the token of the first attempt.
      const [begun] = await tx.update(conversations).set({ tokenHash }).where(eq(conversations.id, id)).returning();
      return begun!;
    }
    await addJob(tx, 'close_conversation', { conversation: started.id }, new Date(at + conversationLifetimeMs));
    await emitConversationEvent(tx, started, 'conversation.started', new Date(at));
    return started;
  });
  return { conversation, token };
};

interface NewConversation {
  key: ApiKey;
  agent: Agent;
  language: Language;
  cameFrom: VisitOrigin;
  seed: string | undefined;
}

/** What was said before a message, oldest first. */
export const messagesBefore = async (db: Db, { conversationId, position }: StoredMessage): Promise<StoredMessage[]> => {
  const latest = await db
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), lt(messages.position, position)))
    .orderBy(desc(messages.position))
    .limit(historyLength);
  return latest.toReversed();
};

/** `seed`: see `startConversation`; a message that was stored then is not stored again. */
export const addVisitorMessage = async (
  dependencies: Dependencies,
  conversation: Conversation,
  content: string,
  language: Language,
  seed?: string,
): Promise<StoredMessage> => {
  const message = { conversation, role: 'user', actorType: 'visitor', content, language } as const;
  if (seed === undefined) return addMessage(dependencies, message);
  const id = derivedId('msg', seed);
  const [stored] = await dependencies.db.select().from(messages).where(eq(messages.id, id));
  return stored ?? addMessage(dependencies, { ...message, id });
};

/** `answer` absent: the text was cut off, because the visitor left or something failed. */
export const addReply = async (
  dependencies: Dependencies,
  conversation: Conversation,
  content: string,
  language: Language,
  answer?: Answer,
): Promise<StoredMessage> => {
  return addMessage(dependencies, {
    conversation,
    role: 'assistant',
    actorType: 'ai',
    content,
    language,
    outcome: answer?.outcome ?? null,
    refused: answer?.outcome === 'refused',
    sources: answer?.sources ?? [],
    blocks: answer?.blocks ?? null,
  });
};

type NewMessage = { conversation: Conversation } & Pick<StoredMessage, 'role' | 'actorType' | 'content' | 'language'> &
  Partial<Pick<StoredMessage, 'id' | 'outcome' | 'refused' | 'sources' | 'blocks'>>;

const addMessage = async (
  { db, now }: Dependencies,
  { conversation, ...message }: NewMessage,
): Promise<StoredMessage> => {
  const at = new Date(now());
  return db.transaction(async (tx) => {
    const [stored] = await tx
      .insert(messages)
      .values({ id: newId('msg'), ...message, conversationId: conversation.id, createdAt: at })
      .returning();
    await tx.update(conversations).set({ lastMessageAt: at }).where(eq(conversations.id, conversation.id));
    if (message.actorType === 'visitor') await recordCustomerMessage(tx, conversation.id, at);
    const { workspaceId, agentId, id } = conversation;
    const data = { ...serialiseMessage(stored!), conversation_id: id };
    await emit(tx, { workspaceId, agentId, type: 'message.created', data, at });
    return stored!;
  });
};

/** Asks for a person, unless somebody has. */
export const requestHandoff = async ({ db, now }: Dependencies, conversationId: string): Promise<void> => {
  await db.transaction(async (tx) => {
    const [moved] = await tx
      .update(conversations)
      .set({ state: 'handoff_requested' })
      .where(and(eq(conversations.id, conversationId), eq(conversations.state, 'ai_active')))
      .returning();
    if (!moved) return;
    await emitConversationEvent(tx, moved, 'conversation.handoff_requested', new Date(now()));
    await openHandoffTicket(tx, moved, new Date(now()));
  });
};

/** A person of the team answers: from here on the assistant keeps silent, until the ticket is closed. */
export const replyAsTeam = async (
  dependencies: Dependencies,
  conversationId: string,
  content: string,
): Promise<StoredMessage> => {
  return dependencies.db.transaction(async (tx) => {
    const [conversation] = await tx
      .update(conversations)
      .set({ state: 'human_active' })
      .where(and(eq(conversations.id, conversationId), ne(conversations.state, 'closed')))
      .returning();
    if (!conversation || hasEnded(conversation, dependencies.now())) throw new ApiError('conversation_expired');
    const language = languageOf(content) ?? conversation.language;
    const message = { conversation, role: 'assistant', actorType: 'owner', content, language } as const;
    const stored = await addMessage({ ...dependencies, db: tx }, message);
    await recordTeamMessage(tx, conversation, new Date(dependencies.now()));
    return stored;
  });
};

/** Ends a conversation, unless it has ended. */
export const closeConversation = async (
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  conversationId: string,
): Promise<void> => {
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

/** What an answer says of its conversation, as it is by then. */
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

/** A conversation whose 24 hours are over is shown as closed, whatever it was left in. */
export const effectiveState = (dependencies: Dependencies) => {
  return sql<
    Conversation['state']
  >`case when ${conversations.expiresAt} <= ${new Date(dependencies.now()).toISOString()}::timestamptz
    then 'closed' else ${conversations.state} end`;
};
