/** Client tool calls: opened by a streamed turn, completed once by the visitor's app before they time out. */
import { and, eq, gt } from 'drizzle-orm';
import { defaultToolTimeoutMs } from '../../contract/limits.ts';
import type { JsonObject } from '../../contract/wire.ts';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { clockDifferenceMs } from '../db/clock.ts';
import type { DatabaseContext, Db } from '../db/database.ts';
import { keepAction } from '../db/row-locks.ts';
import type { Conversation } from '../db/records.ts';
import { toolCalls } from '../db/schema.ts';
import type { Signals } from '../db/signals.ts';
import { inTurn } from '../db/turn-lease.ts';
import type { Action, ToolOutcome } from '../replies/reply-source.ts';

export interface OpenToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
  timeoutMs: number;
  /** Resolves when the app sends the result, the call times out or the turn is aborted. Rejects when the database fails then. */
  outcome: Promise<ToolOutcome>;
}

interface ToolResult {
  conversationId: string;
  callId: string;
  ok: boolean;
  result?: JsonObject | undefined;
  error?: string | undefined;
}

export interface ToolCalls {
  /** Resolves with undefined when the action is deleted. */
  open(
    conversation: Conversation,
    action: Action,
    args: JsonObject,
    signal: AbortSignal,
  ): Promise<OpenToolCall | undefined>;
  /** @throws {ApiError} `call_closed` after the first result or the timeout, `unknown_call` for any other id. */
  submitResult(result: ToolResult): Promise<void>;
}

/** The row of a call accepts the first result and stores it. A signal wakes the turn, also in another process. */
export const createToolCalls = (db: Db, signals: Signals, now: () => number): ToolCalls => {
  const context = { db, now };
  /** Functions that check whether a call has a result, by call id. */
  const checks = new Map<string, () => void>();

  signals.listen((callId) => {
    if (callId === undefined) for (const check of checks.values()) check();
    else checks.get(callId)?.();
  });

  return {
    async open(conversation, action, args, signal) {
      const id = newId('call');
      const timeoutMs = Number(action.config['timeout_ms'] ?? defaultToolTimeoutMs);
      const isOpen = await inTurn(db, conversation, async (tx) => {
        if (!(await keepAction(tx, action.id))) return false;
        await tx.insert(toolCalls).values({
          id,
          conversationId: conversation.id,
          actionId: action.id,
          arguments: args,
          status: 'open',
          createdAt: new Date(now()),
          expiresAt: new Date(now() + timeoutMs),
        });
        return true;
      });
      if (!isOpen) return undefined;
      const outcome = waitForOutcome(context, checks, { id, timeoutMs, signal });
      return { id, name: action.name, arguments: args, timeoutMs, outcome };
    },

    async submitResult({ conversationId, callId, ok, result, error }) {
      const isCall = and(eq(toolCalls.id, callId), eq(toolCalls.conversationId, conversationId));
      const at = new Date(now());
      // The process of the turn closes the call at its timeout. This is for a call whose process has died, by another clock.
      const isInTime = gt(toolCalls.expiresAt, new Date(now() - clockDifferenceMs));
      await db.transaction(async (tx) => {
        const closed = await tx
          .update(toolCalls)
          .set({ status: 'answered', ok, result: result ?? {}, error: error ?? null, closedAt: at })
          .where(and(isCall, eq(toolCalls.status, 'open'), isInTime))
          .returning({ id: toolCalls.id });
        if (closed.length > 0) return signals.send(tx, callId);
        const [existing] = await tx.select({ id: toolCalls.id }).from(toolCalls).where(isCall);
        throw new ApiError(existing ? 'call_closed' : 'unknown_call');
      });
    },
  };
};

const waitForOutcome = (
  context: DatabaseContext,
  checks: Map<string, () => void>,
  { id, timeoutMs, signal }: { id: string; timeoutMs: number; signal: AbortSignal },
): Promise<ToolOutcome> => {
  let stop = () => {};
  const outcome = new Promise<ToolOutcome>((resolve, reject) => {
    const check = () =>
      void readOutcome(context.db, id).then(
        (found) => found && resolve(found),
        // The end of the call reads the result again.
        () => {},
      );
    const end = (status: 'timed_out' | 'abandoned') =>
      void closeCall(context, id, status)
        .then(() => readOutcome(context.db, id))
        // A result that was stored before the end counts, even if its signal was missed.
        .then((found) => resolve(found ?? { ok: false, reason: 'client_timeout' }), reject);
    const onAbort = () => end('abandoned');
    const timer = setTimeout(end, timeoutMs, 'timed_out');
    checks.set(id, check);
    signal.addEventListener('abort', onAbort);
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      checks.delete(id);
    };
    if (signal.aborted) onAbort();
  }).finally(() => stop());
  // The turn may be about to wait for it. Until then, nothing handles a rejection, which would end the process.
  outcome.catch(() => {});
  return outcome;
};

const readOutcome = async (db: Db, id: string): Promise<ToolOutcome | undefined> => {
  const [call] = await db.select().from(toolCalls).where(eq(toolCalls.id, id));
  if (call?.status !== 'answered') return undefined;
  return call.ok ? { ok: true, result: call.result ?? {} } : { ok: false, reason: 'client_error' };
};

const closeCall = async (
  { db, now }: DatabaseContext,
  id: string,
  status: 'timed_out' | 'abandoned',
): Promise<void> => {
  await db
    .update(toolCalls)
    .set({ status, closedAt: new Date(now()) })
    .where(and(eq(toolCalls.id, id), eq(toolCalls.status, 'open')));
};
