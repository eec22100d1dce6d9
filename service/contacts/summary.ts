/** Summarizes ended conversations, for the list of conversations and as notes for the contact's next one. */
import { asc, eq } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import type { Conversation } from '../db/records.ts';
import { memories, messages } from '../db/schema.ts';
import { newId } from '../core/ids.ts';
import { shortened } from '../../contract/characters.ts';

const maxQuestions = 4;
const maxQuestionLength = 120;

export const summarizeConversation = async (tx: Db, conversation: Conversation): Promise<string | null> => {
  const all = await tx
    .select({ actorType: messages.actorType, content: messages.content })
    .from(messages)
    .where(eq(messages.conversationId, conversation.id))
    .orderBy(asc(messages.position));
  const questions = all
    .filter(({ actorType, content }) => actorType === 'visitor' && content.split(/\s+/).length > 1)
    .map(({ content }) => shortened(content.replace(/\s+/g, ' '), maxQuestionLength))
    .slice(0, maxQuestions);
  if (questions.length === 0) return null;
  const remarks = [
    ...(conversation.leadCaptured ? ['left details'] : []),
    ...(all.some(({ actorType }) => actorType === 'owner') ? ['a person answered'] : []),
  ];
  return [`Asked: ${questions.join(' | ')}`, ...remarks].join('; ');
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
