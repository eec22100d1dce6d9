/** Summarizes ended conversations, for the list of conversations and as notes for the contact's next one. */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { memories, messages } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import { shortened } from '../../contract/characters.ts';

const maxQuestions = 4;
const maxQuestionLength = 120;

export const summarizeConversation = async (tx: Db, conversation: Conversation): Promise<string | null> => {
  const isOfConversation = eq(messages.conversationId, conversation.id);
  const isQuestion = and(eq(messages.actorType, 'visitor'), sql`${messages.content} ~ '\\s'`);
  const questions = await tx
    .select({ content: messages.content })
    .from(messages)
    .where(and(isOfConversation, isQuestion))
    .orderBy(asc(messages.position))
    .limit(maxQuestions);
  if (questions.length === 0) return null;
  const texts = questions.map(({ content }) => shortened(content.replace(/\s+/g, ' '), maxQuestionLength));
  const teamMessages = await tx.$count(messages, and(isOfConversation, eq(messages.actorType, 'owner')));
  const remarks = [
    ...(conversation.leadCaptured ? ['left details'] : []),
    ...(teamMessages > 0 ? ['a person answered'] : []),
  ];
  return [`Asked: ${texts.join(' | ')}`, ...remarks].join('; ');
};

/** Stores the summary for a verified contact. Only the agent of the conversation reads it. */
export const rememberConversation = async (
  tx: Db,
  { contactId, agentId }: Conversation,
  summary: string,
  at: Date,
): Promise<void> => {
  if (contactId === null) return;
  await tx.insert(memories).values({ id: newId('rem'), contactId, agentId, summary, createdAt: at });
};
