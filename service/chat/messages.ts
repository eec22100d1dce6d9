/** Stores the messages of a conversation together with their effects, and reads them as context of a reply. */
import { and, desc, eq, lt, ne } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { derivedId, newId } from '../core/ids.ts';
import { languageOf, type Language } from '../core/language.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import type { Conversation, StoredMessage } from '../db/records.ts';
import { conversations, messages } from '../db/schema.ts';
import { emit } from '../events/emit.ts';
import type { ReplyDetails } from '../replies/reply-source.ts';
import { serialiseMessage } from '../resources/message.ts';
import { recordCustomerMessage, recordTeamMessage } from '../tickets/conversation-ticket.ts';
import { hasEnded } from './conversations.ts';
import { countUsage } from './usage-counts.ts';

/** How many earlier messages a reply source reads. */
const historyLength = 12;

/** Returns the messages before the given one, oldest first. */
export const messagesBefore = async (db: Db, { conversationId, position }: StoredMessage): Promise<StoredMessage[]> => {
  const latest = await db
    .select()
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), lt(messages.position, position)))
    .orderBy(desc(messages.position))
    .limit(historyLength);
  return latest.toReversed();
};

/** `idSeed`: see `RepeatableCall`. A second attempt of the same call finds the message of the first. */
export const addVisitorMessage = async (
  context: DatabaseContext,
  conversation: Conversation,
  content: string,
  language: Language,
  idSeed?: string,
): Promise<StoredMessage> => {
  const message = { conversation, role: 'user', actorType: 'visitor', content, language } as const;
  if (idSeed === undefined) return addMessage(context, message);
  const id = derivedId('msg', idSeed);
  const [stored] = await context.db.select().from(messages).where(eq(messages.id, id));
  return stored ?? addMessage(context, { ...message, id });
};

/** Without `details` the reply was cut off: the visitor left, or the reply source failed. */
export const addReply = async (
  context: DatabaseContext,
  conversation: Conversation,
  content: string,
  language: Language,
  details?: ReplyDetails,
): Promise<StoredMessage> => {
  return addMessage(context, {
    conversation,
    role: 'assistant',
    actorType: 'ai',
    content,
    language,
    outcome: details?.outcome ?? null,
    refused: details?.outcome === 'refused',
    sources: details?.sources ?? [],
    blocks: details?.blocks ?? null,
  });
};

/** Stores a message of the team. The assistant stops replying until the ticket is closed. */
export const replyAsTeam = async (
  context: DatabaseContext,
  conversationId: string,
  content: string,
): Promise<StoredMessage> => {
  return context.db.transaction(async (tx) => {
    const [conversation] = await tx
      .update(conversations)
      .set({ state: 'human_active' })
      .where(and(eq(conversations.id, conversationId), ne(conversations.state, 'closed')))
      .returning();
    if (!conversation || hasEnded(conversation, context.now())) throw new ApiError('conversation_expired');
    const language = languageOf(content) ?? conversation.language;
    const message = { conversation, role: 'assistant', actorType: 'owner', content, language } as const;
    const stored = await addMessage({ ...context, db: tx }, message);
    await recordTeamMessage(tx, conversation, new Date(context.now()));
    return stored;
  });
};

type NewMessage = { conversation: Conversation } & Pick<StoredMessage, 'role' | 'actorType' | 'content' | 'language'> &
  Partial<Pick<StoredMessage, 'id' | 'outcome' | 'refused' | 'sources' | 'blocks'>>;

const addMessage = async (
  { db, now }: DatabaseContext,
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
    await countUsage(tx, conversation, at, { messages: 1 });
    return stored!;
  });
};
