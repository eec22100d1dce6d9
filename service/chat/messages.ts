/** Stores the messages of a conversation together with their effects, and reads them as context of a reply. */
import { and, eq, lt, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { ApiError } from '../core/errors.ts';
import { derivedId, newId } from '../core/ids.ts';
import { languageOf, type Language } from '../core/language.ts';
import { storableJson } from '../core/storable.ts';
import { prepared, queryRows, type DatabaseContext, type Db } from '../db/database.ts';
import type { Conversation, StoredMessage } from '../db/records.ts';
import { conversations, messages } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import { eventParts, eventValues } from '../events/emit.ts';
import type { ReplyDetails, Turn } from '../replies/reply-source.ts';
import { serializeMessage } from '../resources/message.ts';
import { recordCustomerMessage, recordTeamMessage } from '../tickets/conversation-ticket.ts';
import { hasEnded } from './conversations.ts';
import { usageCount, usageValues } from './usage-counts.ts';

const { placeholder } = sql;

/** How many earlier messages a reply source reads. */
export const historyLength = 12;

type History = Turn['history'];

/** The messages of a conversation that meet the condition, oldest first, as a JSON array. */
const historyOf = (conversationId: string | Placeholder, condition: SQL): SQL =>
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
  const [stored] = await insertMessage(insertVisitorMessage, db, conversation, message, conversation.turnHolder);
  if (stored) return stored.result as History;
  // Few conversations have a ticket, which the message changes.
  const history = await readHistory(db, conversation.id, sql`true`);
  await inTurn(db, conversation, async (tx) => {
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

export const newReply = (
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
  const message = newReply(context, content, language, undefined);
  await insertMessage(insertInterruptedReply, context.db, conversation, message, conversation.turnHolder);
};

export interface ConcludedReply {
  state: Conversation['state'];
  leadCaptured: boolean;
}

/**
 * Stores the last message of a turn and ends the turn's lease, unless an earlier attempt has done that, whose answer was lost with
 * its connection. Returns undefined when the lease was lost.
 */
export const concludeReply = async (
  db: Db,
  { conversation, holder }: { conversation: Conversation; holder: string },
  message: NewMessage,
): Promise<ConcludedReply | undefined> => {
  const [stored] = await insertMessage(insertReply, db, conversation, message, holder);
  return stored ?? (await concludedBefore(db, message));
};

const concludedBefore = async (db: Db, { id }: NewMessage): Promise<ConcludedReply | undefined> => {
  const { state, leadCaptured } = conversations;
  const [found] = await db
    .select({ state, leadCaptured })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(eq(messages.id, id));
  return found;
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
  const stored = await insertMessage(insertAlways, db, conversation, message);
  if (stored.length === 0) throw new Error('The conversation was deleted.');
};

interface InsertOptions {
  /** Further columns of the conversation to set. */
  change?: PgUpdateSetSource<typeof conversations>;
  /** The message is stored only if the conversation fulfills the condition. */
  condition?: SQL;
  /** Is read before the message is stored. */
  result?: SQL;
}

/**
 * Stores a message and all its effects in one statement. Returns no row when the condition is not fulfilled. As a transaction of
 * several queries, a first turn takes twice the processor time in the service and three times in the database. `service-load.ts`
 * measures the turns per second.
 */
const insertStatement = (name: string, { change, condition, result = sql`null` }: InsertOptions = {}) =>
  prepared(name, (db) => {
    const createdAt = sql`${placeholder('createdAt')}::timestamptz`;
    const { id, state, leadCaptured } = conversations;
    const changed = db.$with('changed').as(
      db
        .update(conversations)
        .set({ ...change, lastMessageAt: createdAt })
        .where(and(eq(id, placeholder('conversationId')), condition))
        .returning({ id, state, leadCaptured }),
    );
    const stored = sql`insert into messages
        (id, conversation_id, role, actor_type, content, outcome, refused, sources, blocks, search, language, created_at)
      select ${placeholder('id')}, id, ${placeholder('role')}, ${placeholder('actorType')}, ${placeholder('content')},
        ${placeholder('outcome')}::text, ${placeholder('refused')}::boolean, ${placeholder('sources')}::jsonb,
        ${placeholder('blocks')}::jsonb, ${placeholder('search')}::jsonb, ${placeholder('language')}, ${createdAt}
      from changed`;
    return db
      .with(
        changed,
        db.$with('stored', {}).as(stored),
        ...eventParts(db, sql`changed`),
        db.$with('counted', {}).as(usageCount(sql`changed`)),
      )
      .select({ state: changed.state, leadCaptured: changed.leadCaptured, result: sql`${result}`.as('result') })
      .from(changed);
  });

const isHeld = sql`turn_holder = ${placeholder('holder')}`;
const hasNoTicket = sql`not exists (select 1 from tickets where conversation_id = ${placeholder('conversationId')})`;
const insertVisitorMessage = insertStatement('message.visitor', {
  condition: sql`${isHeld} and ${hasNoTicket}`,
  result: historyOf(placeholder('conversationId'), sql`true`),
});
const insertReply = insertStatement('message.reply', {
  change: { turnHolder: null, turnUntil: null },
  condition: isHeld,
});
const insertInterruptedReply = insertStatement('message.interrupted', { condition: isHeld });
const insertAlways = insertStatement('message.insert');

/** @param holder The lease of the turn, for a statement whose condition it is. */
const insertMessage = (
  statement: typeof insertAlways,
  db: Db,
  conversation: Conversation,
  message: NewMessage,
  holder: string | null = null,
) => {
  const { workspaceId, agentId, id: conversationId } = conversation;
  const { createdAt: at, sources, blocks, search } = message;
  const data = { ...serializeMessage(message), conversation_id: conversationId };
  return statement(db, {
    ...message,
    conversationId,
    holder,
    sources: storableJson(sources),
    blocks: blocks && storableJson(blocks),
    search: search && storableJson(search),
    ...eventValues({ workspaceId, agentId, type: 'message.created', data, at }),
    ...usageValues(conversation, at, { messages: 1 }),
  });
};
