/** What an ended conversation came to, in a line or two: for the list of conversations, and for the next one. */
import { asc, eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { memories, messages, type conversations } from '../db/schema.ts';
import { newId } from '../core/ids.ts';

const maxQuestions = 4;
const maxQuestionLength = 120;

export const summariseConversation = async (
  tx: Db,
  conversation: typeof conversations.$inferSelect,
): Promise<string | null> => {
  const said = await tx
    .select({ actorType: messages.actorType, content: messages.content })
    .from(messages)
    .where(eq(messages.conversationId, conversation.id))
    .orderBy(asc(messages.position));
  const asked = said
    .filter(({ actorType, content }) => actorType === 'visitor' && content.split(/\s+/).length > 1)
    .map(({ content }) => content.replace(/\s+/g, ' ').slice(0, maxQuestionLength))
    .slice(0, maxQuestions);
  if (asked.length === 0) return null;
  const also = [
    ...(conversation.leadCaptured ? ['left details'] : []),
    ...(said.some(({ actorType }) => actorType === 'owner') ? ['a person answered'] : []),
  ];
  return [`Asked: ${asked.join(' | ')}`, ...also].join('; ');
};

/** Only of whom is verified, and only for the agent they spoke with. */
export const rememberConversation = async (
  tx: Db,
  { contactId, agentId }: typeof conversations.$inferSelect,
  summary: string,
  at: Date,
): Promise<void> => {
  if (contactId === null) return;
  await tx.insert(memories).values({ id: newId('rem'), contactId, agentId, summary, createdAt: at });
};
