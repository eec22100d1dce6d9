/** Conversations: how one starts, who may continue it, and how its state changes. */
import { and, eq, ne, sql, type SQL } from 'drizzle-orm';
import { conversationLifetimeMs } from '../../contract/limits.ts';
import { rememberConversation, summarizeConversation } from '../contacts/summary.ts';
import { ApiError } from '../core/errors.ts';
import { derivedId, matchesHash, newConversationToken, newId, sha256 } from '../core/ids.ts';
import type { KeyAccess } from '../core/key-access.ts';
import type { Language } from '../core/language.ts';
import { prepared, type DatabaseContext, type Db } from '../db/database.ts';
import type { Agent, Conversation } from '../db/records.ts';
import { conversations, type Channel } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import { emit, eventParts, eventValues } from '../events/emit.ts';
import { serializeConversation } from '../resources/conversation.ts';
import { openHandoffTicket } from '../tickets/conversation-ticket.ts';
import type { VisitOrigin } from './visit-origin.ts';

const conversationQuery = prepared('conversation.find', (db) =>
  db
    .select()
    .from(conversations)
    .where(
      and(
        eq(conversations.id, sql.placeholder('id')),
        eq(conversations.agentId, sql.placeholder('agentId')),
        eq(conversations.workspaceId, sql.placeholder('workspaceId')),
      ),
    ),
);

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
  const [conversation] = await conversationQuery(db, { id, agentId, workspaceId: key.workspaceId });
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

export interface NewConversation {
  key: KeyAccess;
  agent: Agent;
  language: Language;
  visitOrigin: VisitOrigin;
  channel: Channel | undefined;
  /** The lease of the turn that starts the conversation. */
  lease: Pick<Conversation, 'turnHolder' | 'turnUntil'>;
  /** See `RepeatableCall`. A second attempt of the same call finds the conversation of the first. */
  idSeed: string | undefined;
}

interface StartedConversation {
  conversation: Conversation;
  /** For a publishable key only. The database has its hash, so it cannot be read again later. */
  token: string | undefined;
  /** False when an earlier attempt of the call started it. Then the lease is not that of this turn. */
  isNew: boolean;
}

export const startConversation = async (
  { db, now }: DatabaseContext,
  { key, agent, language, visitOrigin, channel = 'api', lease, idSeed }: NewConversation,
): Promise<StartedConversation> => {
  const token = key.kind === 'publishable' ? newConversationToken() : undefined;
  const tokenHash = token === undefined ? null : sha256(token);
  const at = now();
  const conversation: Conversation = {
    id: idSeed === undefined ? newId('cnv') : derivedId('cnv', idSeed),
    workspaceId: agent.workspaceId,
    agentId: agent.id,
    channel,
    state: 'ai_active',
    tokenHash,
    language,
    startedAt: new Date(at),
    expiresAt: new Date(at + conversationLifetimeMs),
    lastMessageAt: null,
    leadCaptured: false,
    ...visitOrigin,
    referrer: '',
    summary: null,
    contactId: null,
    claim: null,
    countedAt: null,
    ...lease,
  };
  if (await insertConversation(db, conversation)) return { conversation, token, isNew: true };
  // The first attempt of the call never returned its token, so a new one can replace it.
  const isConversation = eq(conversations.id, conversation.id);
  const [existing] = await db.update(conversations).set({ tokenHash }).where(isConversation).returning();
  return { conversation: existing!, token, isNew: false };
};

/** Stores a conversation, the job that closes it, and its event, unless the conversation exists already. */
const startStatement = prepared('conversation.start', (db) => {
  const { id, expiresAt } = conversations;
  const started = db.$with('started').as(
    db
      .insert(conversations)
      .values({
        id: sql.placeholder('id'),
        workspaceId: sql.placeholder('workspaceId'),
        agentId: sql.placeholder('agentId'),
        channel: sql.placeholder('channel'),
        state: sql.placeholder('state'),
        // As a column's value, a placeholder would convert null as a text.
        tokenHash: sql`${sql.placeholder('tokenHash')}`,
        language: sql.placeholder('language'),
        startedAt: sql.placeholder('startedAt'),
        expiresAt: sql.placeholder('expiresAt'),
        pageUrl: sql`${sql.placeholder('pageUrl')}`,
        utm: sql.placeholder('utm'),
        turnHolder: sql.placeholder('turnHolder'),
        turnUntil: sql.placeholder('turnUntil'),
      })
      .onConflictDoNothing()
      .returning({ id, expiresAt }),
  );
  const job = sql`insert into jobs (kind, payload, run_at)
    select 'close_conversation', jsonb_build_object('conversation', id), expires_at from started`;
  return db
    .with(started, db.$with('job', {}).as(job), ...eventParts(db, sql`started`))
    .select({ id: started.id })
    .from(started);
});

/** Returns false when the conversation exists already. */
const insertConversation = async (db: Db, conversation: Conversation): Promise<boolean> => {
  const { workspaceId, agentId, startedAt: at } = conversation;
  const data = serializeConversation(conversation);
  const event = eventValues({ workspaceId, agentId, type: 'conversation.started', data, at });
  const inserted = await startStatement(db, { ...conversation, ...event });
  return inserted.length > 0;
};

/** Requests a person of the team, unless one was requested already. */
export const requestHandoff = async ({ db, now }: DatabaseContext, conversation: Conversation): Promise<void> => {
  await inTurn(db, conversation, async (tx) => {
    const [changed] = await tx
      .update(conversations)
      .set({ state: 'handoff_requested' })
      .where(and(eq(conversations.id, conversation.id), eq(conversations.state, 'ai_active')))
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
    const summary = await summarizeConversation(tx, closed);
    await tx.update(conversations).set({ summary }).where(eq(conversations.id, conversationId));
    if (summary !== null) await rememberConversation(tx, closed, summary, new Date(now()));
    await emitConversationEvent(tx, { ...closed, summary }, 'conversation.closed', new Date(now()));
  });
};

type ConversationEvent = 'conversation.handoff_requested' | 'conversation.closed';

const emitConversationEvent = async (
  tx: Db,
  conversation: Conversation,
  type: ConversationEvent,
  at: Date,
): Promise<void> => {
  const { workspaceId, agentId } = conversation;
  await emit(tx, { workspaceId, agentId, type, data: serializeConversation(conversation), at });
};

/** The state as an SQL expression: `closed` for every conversation that is older than 24 hours. */
export const effectiveState = (now: () => number): SQL<Conversation['state']> => {
  return sql<
    Conversation['state']
  >`case when ${conversations.expiresAt} <= ${new Date(now()).toISOString()}::timestamptz
    then 'closed' else ${conversations.state} end`;
};
