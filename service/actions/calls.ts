/** Calls of actions: run, refused or submitted to the team for approval, and recorded with their outcome. */
import { and, eq, ne } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import type { Encryption } from '../core/encryption.ts';
import type { ActionOutcome } from '../replies/reply-source.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import type { Contact, Conversation, StoredAction, StoredCall } from '../db/records.ts';
import { keepAction } from '../db/row-locks.ts';
import { actionCalls, actions, verifiedHosts } from '../db/schema.ts';
import { inTurn } from '../db/turn-lease.ts';
import { emit } from '../events/emit.ts';
import { addJob } from '../jobs/queue.ts';
import { newId } from '../core/ids.ts';
import { hostOf, serializeCall } from '../resources/action.ts';
import { openTicket, ticketOf } from '../tickets/conversation-ticket.ts';
import { callHttp, type HttpOutcome } from './http-call.ts';

export interface ActionContext extends DatabaseContext {
  encryption: Encryption;
  /** For development: actions and webhooks may call servers of this machine. */
  allowLoopback: boolean;
}

/** Action calls of one conversation. */
const maxCallsPerConversation = 20;
/** Milliseconds for which a request waits for the team's approval. */
const approvalTimeoutMs = 24 * 60 * 60 * 1000;

/** A call whose id is given is stored once, also when the turn is run a second time. */
type NewCall = Pick<StoredCall, 'outcome'> & Partial<StoredCall>;

/** Stores nothing when the action is deleted, because its calls are deleted with it, or when the call is stored already. */
const storeCall = async (
  tx: Db,
  { id: actionId }: Pick<StoredAction, 'id'>,
  { id: conversationId }: Conversation,
  call: NewCall,
  at: Date,
): Promise<StoredCall | undefined> => {
  if (!(await keepAction(tx, actionId))) return undefined;
  const [stored] = await tx
    .insert(actionCalls)
    .values({ id: newId('acl'), ...call, actionId, conversationId, at })
    .onConflictDoNothing()
    .returning();
  return stored;
};

const emitCall = async (tx: Db, { workspaceId, agentId }: Conversation, call: StoredCall): Promise<void> => {
  await emit(tx, { workspaceId, agentId, type: 'action.called', data: serializeCall(call), at: call.at });
};

/** Stores a call that has ended or waits, and its event. Returns undefined like `storeCall`. */
export const recordCall = async (
  tx: Db,
  action: Pick<StoredAction, 'id'>,
  conversation: Conversation,
  call: NewCall,
  at: Date,
): Promise<StoredCall | undefined> => {
  const stored = await storeCall(tx, action, conversation, call, at);
  if (stored) await emitCall(tx, conversation, stored);
  return stored;
};

interface RequestedCall {
  id: string;
  actionId: string;
  args: JsonObject;
}

/**
 * Runs an http action with the inputs of a reply. The turn must have its conversation before the inputs are sent, and after it. The
 * call is stored before its request is sent, so that a second attempt of the turn does not send it again, unless it only reads.
 */
export const runAction = async (
  context: ActionContext,
  requested: RequestedCall,
  conversation: Conversation,
  contact: Contact | undefined,
): Promise<ActionOutcome> => {
  const { db, now } = context;
  const { actionId, args } = requested;
  const at = new Date(now());
  const [action] = await db.select().from(actions).where(eq(actions.id, actionId));
  if (!action) return { outcome: 'refused' };
  const isRead = action.method === 'GET';
  const id = isRead && !action.requiresApproval ? newId('acl') : requested.id;
  const inputs = Object.keys(args);
  const refusal = await refusalOf(db, action, { id, args }, conversation);
  if (refusal) {
    const refused = { id, outcome: 'refused', inputs, ...refusal } as const;
    await inTurn(db, conversation, (tx) => recordCall(tx, action, conversation, refused, at));
    return { outcome: 'refused' };
  }
  if (action.requiresApproval) {
    const isSubmitted = await submitForApproval(context, action, { id, args }, conversation, at);
    return { outcome: isSubmitted ? 'waiting' : 'refused' };
  }
  const started = { id, outcome: 'failed', reason: 'interrupted', inputs, startedAt: at } as const;
  if (!(await inTurn(db, conversation, (tx) => storeCall(tx, action, conversation, started, at)))) {
    return { outcome: isRead ? 'failed' : 'unconfirmed' };
  }
  const result = await callHttp(action, args, visitorData(action, conversation, contact), context);
  await inTurn(db, conversation, (tx) => endCall(tx, conversation, id, result));
  if (result.ok) return { outcome: 'worked', result: result.result };
  return { outcome: !isRead && (result.isSent || lateFailures.has(result.reason)) ? 'unconfirmed' : 'failed' };
};

const endCall = async (tx: Db, conversation: Conversation, id: string, result: HttpOutcome): Promise<void> => {
  const { latencyMs } = result;
  const ending = result.ok
    ? { outcome: 'worked' as const, reason: null }
    : { reason: result.reason, detail: result.detail };
  const [ended] = await tx
    .update(actionCalls)
    .set({ ...ending, latencyMs })
    .where(eq(actionCalls.id, id))
    .returning();
  if (ended) await emitCall(tx, conversation, ended);
};

/** Reasons with which a call fails after the host may have carried it out. */
const lateFailures = new Set(['timeout', 'bad_json', 'too_large']);

const refusalOf = async (
  db: Db,
  action: StoredAction,
  { id, args }: Pick<RequestedCall, 'id' | 'args'>,
  conversation: Conversation,
) => {
  const isOther = and(eq(actionCalls.conversationId, conversation.id), ne(actionCalls.id, id));
  const calls = await db.$count(actionCalls, isOther);
  if (calls >= maxCallsPerConversation) return { reason: 'conversation_cap' };
  const required = Array.isArray(action.inputSchema['required']) ? (action.inputSchema['required'] as unknown[]) : [];
  const missing = required.filter((name) => args[String(name)] === undefined);
  if (missing.length > 0) return { reason: 'invalid_input', detail: { inputs: missing } };
  if (!(await isVerified(db, action))) return { reason: 'host_unverified' };
  return undefined;
};

export const isVerified = async (db: Db, { agentId, urlTemplate }: Pick<StoredAction, 'agentId' | 'urlTemplate'>) => {
  const isHost = and(eq(verifiedHosts.agentId, agentId), eq(verifiedHosts.host, hostOf(urlTemplate)));
  return (await db.$count(verifiedHosts, isHost)) > 0;
};

/** The data about the visitor that the owner lets the action have, beside its inputs. */
export const visitorData = (
  action: StoredAction,
  conversation: Conversation,
  contact: Contact | undefined,
): JsonObject => {
  if (action.dataAccess === 'none') return {};
  const visitor = { conversation_id: conversation.id, language: conversation.language };
  if (action.dataAccess === 'visitor' || !contact) return visitor;
  const { externalId, name, email, phone } = contact;
  return { ...visitor, contact: { external_id: externalId, name, email, phone } };
};

/** Returns false when the action is deleted. */
const submitForApproval = async (
  { db, encryption }: ActionContext,
  action: StoredAction,
  { id, args }: Pick<RequestedCall, 'id' | 'args'>,
  conversation: Conversation,
  at: Date,
): Promise<boolean> => {
  return inTurn(db, conversation, async (tx, current) => {
    if (!(await keepAction(tx, action.id))) return false;
    const ticket = (await ticketOf(tx, current.id)) ?? (await openTicket(tx, current, 'conversation', at));
    const waiting = {
      id,
      outcome: 'waiting',
      inputs: Object.keys(args),
      ticketId: ticket?.id ?? null,
      encryptedArguments: encryption.encrypt(JSON.stringify(args)),
    } as const;
    const call = await recordCall(tx, action, conversation, waiting, at);
    if (call) await addJob(tx, 'expire_request', { call: id }, new Date(at.getTime() + approvalTimeoutMs));
    return true;
  });
};

export const expireRequest = async (db: Db, callId: string): Promise<void> => {
  await db
    .update(actionCalls)
    .set({ outcome: 'expired', encryptedArguments: null })
    .where(and(eq(actionCalls.id, callId), eq(actionCalls.outcome, 'waiting')));
};
