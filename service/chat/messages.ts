/** Stores the messages of a conversation together with their effects, and reads them as context of a reply. */
import { and, eq, lt, ne, sql, type SQL } from 'drizzle-orm';
import { ApiError } from '../core/errors.ts';
import { derivedId, newId } from '../core/ids.ts';
import { languageOf, type Language } from '../core/language.ts';
import { withoutNul } from '../core/storable.ts';
import { queryRows, type DatabaseContext, type Db } from '../db/database.ts';
import type { Conversation, StoredMessage } from '../db/records.ts';
import { conversations, messages } from '../db/schema.ts';
import { jsonParameter } from '../db/tables/columns.ts';
import { eventParts } from '../events/emit.ts';
import type { ReplyDetails, Turn } from '../replies/reply-source.ts';
import { serializeMessage } from '../resources/message.ts';
import { recordCustomerMessage, recordTeamMessage } from '../tickets/conversation-ticket.ts';
import { hasEnded } from './conversations.ts';
import { usageCount } from './usage-counts.ts';

/** How many earlier messages a reply source reads. */
export const historyLength = 12;

type History = Turn['history'];

/** The messages of a conversation that meet the condition, oldest first, as a JSON array. */
const historyOf = (conversationId: string, condition: SQL): SQL =>
  sql`(select coalesce(json_agg(json_build_object('id', id, 'role', role, 'content', content, 'blocks', blocks) order by position), '[]')
    from (select id, role, content, blocks, position from messages
      where conversation_id = ${conversationId} and ${condition} order by position desc limit ${historyLength}) as latest)`;

/**
 * Stores the visitor's message and returns the messages before it. `idSeed`: see `RepeatableCall`. A second attempt of the same
 * call finds the message of the first.
 */
export const addVisitorMessage = async (
  context: DatabaseContext,
  conversation: Conversation,
  content: string,
  language: Language,
  idSeed?: string,
): Promise<History> => {
  const { db } = context;
  const id = idSeed === undefined ? newId('msg') : derivedId('msg', idSeed);
  if (idSeed !== undefined) {
    const [existing] = await db.select().from(messages).where(eq(messages.id, id));
    if (existing) return readHistory(db, conversation.id, sql`${lt(messages.position, existing.position)}`);
  }
  const message = { ...emptyMessage(context), id, role: 'user', actorType: 'visitor', content, language } as const;
  const hasNoTicket = sql`not exists (select 1 from tickets where conversation_id = ${conversation.id})`;
  const [stored] = await insertMessage(db, conversation, message, {
    condition: hasNoTicket,
    result: historyOf(conversation.id, sql`true`),
  });
  if (stored) return stored.result as History;
  // Few conversations have a ticket, which the message changes.
  const history = await readHistory(db, conversation.id, sql`true`);
  await db.transaction(async (tx) => {
    await addMessage(tx, conversation, message);
    await recordCustomerMessage(tx, conversation.id, message.createdAt);
  });
  return history;
};

const readHistory = async (db: Db, conversationId: string, condition: SQL): Promise<History> => {
  const [found] = await queryRows<{ history: History }>(
    db,
    sql`select ${historyOf(conversationId, condition)} as history`,
  );
  return found!.history;
};

const replyOf = (
  context: DatabaseContext,
  content: string,
  language: Language,
  details: ReplyDetails | undefined,
): NewMessage => ({
  ...emptyMessage(context),
  role: 'assistant',
  actorType: 'ai',
  content,
  language,
  outcome: details?.outcome ?? null,
  refused: details?.outcome === 'refused',
  sources: details?.sources ?? [],
  blocks: details?.blocks ?? null,
  search: details?.search ?? null,
});

/** Stores a reply that was cut off: the visitor left, or the reply source failed. Stores nothing when the lease was lost. */
export const addInterruptedReply = async (
  context: DatabaseContext,
  conversation: Conversation,
  content: string,
  language: Language,
): Promise<void> => {
  await insertMessage(context.db, conversation, replyOf(context, content, language, undefined), {
    condition: sql`turn_holder = ${conversation.turnHolder}`,
  });
};

export interface ConcludedReply {
  message: NewMessage;
  state: Conversation['state'];
  leadCaptured: boolean;
}

/** Stores the last message of a turn and ends the turn's lease. Returns undefined when the lease was lost. */
export const concludeReply = async (
  context: DatabaseContext,
  { conversation, holder }: { conversation: Conversation; holder: string },
  content: string,
  language: Language,
  details: ReplyDetails,
): Promise<ConcludedReply | undefined> => {
  const message = replyOf(context, content, language, details);
  const [stored] = await insertMessage(context.db, conversation, message, {
    change: sql`turn_holder = null, turn_until = null,`,
    condition: sql`turn_holder = ${holder}`,
  });
  return stored && { message, state: stored.state, leadCaptured: stored.lead_captured };
};

/** Stores a message of the team. The assistant stops replying until the ticket is closed. */
export const replyAsTeam = async (
  context: DatabaseContext,
  conversationId: string,
  content: string,
): Promise<NewMessage> => {
  return context.db.transaction(async (tx) => {
    const [conversation] = await tx
      .update(conversations)
      .set({ state: 'human_active' })
      .where(and(eq(conversations.id, conversationId), ne(conversations.state, 'closed')))
      .returning();
    if (!conversation || hasEnded(conversation, context.now())) throw new ApiError('conversation_expired');
    const language = languageOf(content) ?? conversation.language;
    const message = { ...emptyMessage(context), role: 'assistant', actorType: 'owner', content, language } as const;
    await addMessage(tx, conversation, message);
    await recordTeamMessage(tx, conversation, message.createdAt);
    return message;
  });
};

/** A message without the columns that the database fills in. */
type NewMessage = Omit<StoredMessage, 'conversationId' | 'position'>;

const emptyMessage = ({ now }: DatabaseContext) => ({
  id: newId('msg'),
  outcome: null,
  refused: false,
  sources: [],
  blocks: null,
  search: null,
  feedback: null,
  createdAt: new Date(now()),
});

const addMessage = async (db: Db, conversation: Conversation, message: NewMessage): Promise<void> => {
  const stored = await insertMessage(db, conversation, message);
  if (stored.length === 0) throw new Error('The conversation was deleted.');
};

interface InsertOptions {
  /** Further columns of the conversation to set, each followed by a comma. */
  change?: SQL;
  /** The message is stored only if the conversation fulfills the condition. */
  condition?: SQL;
  /** Is read before the message is stored. */
  result?: SQL;
}

interface InsertedRow {
  state: Conversation['state'];
  lead_captured: boolean;
  result: unknown;
}

/**
 * Stores a message and all its effects in one statement. Returns no row when the condition is not fulfilled. As a transaction of
 * Drizzle's queries, a first turn takes twice the processor time in the service and three times in the database. `service-load.ts`
 * measures the turns per second.
 */
const insertMessage = (
  db: Db,
  conversation: Conversation,
  message: NewMessage,
  { change = sql``, condition = sql`true`, result = sql`null` }: InsertOptions = {},
): Promise<InsertedRow[]> => {
  const { workspaceId, agentId, id: conversationId } = conversation;
  const at = message.createdAt;
  const createdAt = sql`${at.toISOString()}::timestamptz`;
  const data = { ...serializeMessage(message), conversation_id: conversationId };
  const event = eventParts({ workspaceId, agentId, type: 'message.created', data, at }, sql`changed`);
  const { id, role, actorType, content, outcome, refused, sources, blocks, search, language } = message;
  return queryRows<InsertedRow>(
    db,
    sql`with changed as (
          update conversations set ${change} last_message_at = ${createdAt}
          where id = ${conversationId} and ${condition} returning id, state, lead_captured
        ), stored as (
          insert into messages (id, conversation_id, role, actor_type, content, outcome, refused, sources, blocks, search, language, created_at)
          select ${id}, id, ${role}, ${actorType}, ${withoutNul(content)}, ${outcome}::text, ${refused}::boolean, ${jsonParameter(sources)},
            ${jsonParameter(blocks)}, ${jsonParameter(search)}, ${language}, ${createdAt} from changed
        ), ${event.parts}, counted as (${usageCount(conversation, at, { messages: 1 }, sql`changed`)})
        select state, lead_captured, ${result} as result from changed`,
  );
};
