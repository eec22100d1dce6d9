/**
 * Requests of actions that the team approves or rejects. An approved request is marked as started before it is sent. After
 * a crash, a request without the mark is sent, and one with the mark but without a result fails and is never sent again.
 */
import { and, eq, isNull } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { ApiError } from '../core/errors.ts';
import type { Db } from '../db/database.ts';
import type { StoredCall } from '../db/records.ts';
import { actionCalls, actions, contacts, conversations } from '../db/schema.ts';
import { addJob } from '../jobs/queue.ts';
import { isVerified, visitorData, type ActionContext } from './calls.ts';
import { callHttp, maxTimeoutMs, type HttpOutcome } from './http-call.ts';

/** Milliseconds after which a background job sends a request whose process has not. */
const sendingDelayMs = 5000;
/** Milliseconds after which a request that was sent can have no result any more. */
const resultTimeoutMs = 2 * maxTimeoutMs;

/** Approves or rejects a request. An approved request runs at once and stays the same call. */
export const decideRequest = async (
  context: ActionContext,
  callId: string,
  { memberId, approve }: { memberId: string; approve: boolean },
): Promise<StoredCall> => {
  const { db, now } = context;
  const at = new Date(now());
  const approval = {
    user_id: memberId,
    decision: approve ? 'approved' : 'rejected',
    decided_at: at.toISOString(),
  };
  const decided = await db.transaction(async (tx) => {
    // Of two decisions at once, only the first finds the request waiting.
    const [changed] = await tx
      .update(actionCalls)
      .set(approve ? { outcome: 'approved', approval } : { outcome: 'rejected', approval, encryptedArguments: null })
      .where(and(eq(actionCalls.id, callId), eq(actionCalls.outcome, 'waiting')))
      .returning();
    if (changed && approve) {
      await addJob(tx, 'run_request', { call: callId }, new Date(at.getTime() + sendingDelayMs));
    }
    return changed;
  });
  if (!decided && !(await findCall(db, callId))) throw new ApiError('not_found');
  if (!decided) throw new ApiError('conflict', { details: 'closed' });
  if (!approve) return decided;
  await sendRequestOnce(context, decided);
  return (await findCall(db, callId))!;
};

/** Sends an approved request that its process did not send. Returns when to look again at one that has no result yet. */
export const recoverRequest = async (context: ActionContext, callId: string): Promise<Date | undefined> => {
  const { db, now } = context;
  const call = await findCall(db, callId);
  if (call?.outcome !== 'approved') return undefined;
  if (call.startedAt === null) {
    await sendRequestOnce(context, call);
    return undefined;
  }
  const deadline = new Date(call.startedAt.getTime() + resultTimeoutMs);
  if (deadline.getTime() > now()) return deadline;
  await saveResult(db, callId, { outcome: 'failed', reason: 'interrupted' });
  return undefined;
};

/** Ends a request that could not be sent in the last attempt. */
export const giveUpRequest = (db: Db, callId: string): Promise<void> => {
  return saveResult(db, callId, { outcome: 'failed', reason: 'internal_error' });
};

/** Does nothing when the request was started already. */
const sendRequestOnce = async (context: ActionContext, call: StoredCall): Promise<void> => {
  const { db, now, encryption } = context;
  if (call.encryptedArguments === null) return;
  const text = encryption.decrypt(call.encryptedArguments);
  // The key was lost since, and with it the inputs.
  if (text === undefined) return saveResult(db, call.id, { outcome: 'failed', reason: 'internal_error' });
  // Read before the mark, because a request with the mark counts as sent.
  const args = JSON.parse(text) as JsonObject;
  const [action] = await db.select().from(actions).where(eq(actions.id, call.actionId));
  const visitor = await visitorOf(db, call);
  if (!action) return;
  // The owner may have changed the URL since the visitor asked.
  if (!(await isVerified(db, action))) return saveResult(db, call.id, { outcome: 'failed', reason: 'host_unverified' });
  const started = await db
    .update(actionCalls)
    .set({ startedAt: new Date(now()), encryptedArguments: null })
    .where(and(eq(actionCalls.id, call.id), eq(actionCalls.outcome, 'approved'), isNull(actionCalls.startedAt)))
    .returning({ id: actionCalls.id });
  if (started.length === 0) return;
  const data = visitor ? visitorData(action, visitor.conversation, visitor.contact ?? undefined) : {};
  await saveResult(db, call.id, resultOf(await callHttp(action, args, data, context)));
};

const visitorOf = async (db: Db, { conversationId }: StoredCall) => {
  if (conversationId === null) return undefined;
  const [found] = await db
    .select({ conversation: conversations, contact: contacts })
    .from(conversations)
    .leftJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(eq(conversations.id, conversationId));
  return found;
};

type RequestResult = JsonObject & { outcome: 'worked' | 'failed'; latency_ms?: number };

const resultOf = (outcome: HttpOutcome): RequestResult => {
  const { latencyMs } = outcome;
  if (outcome.ok) return { outcome: 'worked', latency_ms: latencyMs };
  return { outcome: 'failed', reason: outcome.reason, ...outcome.detail, latency_ms: latencyMs };
};

const saveResult = async (db: Db, callId: string, result: RequestResult): Promise<void> => {
  await db
    .update(actionCalls)
    .set({ outcome: result.outcome, result, latencyMs: result.latency_ms ?? null, encryptedArguments: null })
    .where(and(eq(actionCalls.id, callId), eq(actionCalls.outcome, 'approved')));
};

const findCall = async (db: Db, id: string): Promise<StoredCall | undefined> => {
  const [call] = await db.select().from(actionCalls).where(eq(actionCalls.id, id));
  return call;
};
