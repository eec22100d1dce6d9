/** Client tool calls: opened by a streamed turn, answered once by the visitor's app before their time is out. */
import { and, eq, gt } from 'drizzle-orm';
import { defaultToolTimeoutMs } from '../../contract/limits.ts';
import type { JsonObject } from '../../contract/wire.ts';
import type { Action, ToolOutcome } from '../replies/reply-source.ts';
import type { Db } from '../db/open.ts';
import { toolCalls } from '../db/schema.ts';
import type { Signals } from '../db/signals.ts';
import { ApiError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';

interface OpenCall {
  id: string;
  name: string;
  arguments: JsonObject;
  timeoutMs: number;
  /** Settles with the app's answer, or when the time is out or the turn has ended. */
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
  open(conversationId: string, action: Action, args: JsonObject, signal: AbortSignal): Promise<OpenCall>;
  answer(answer: ToolResult): Promise<void>;
}

/** The rows decide who answered first, and hold the answer; the waiting turn, in whichever process, is only told. */
export const createToolCalls = (db: Db, signals: Signals, now: () => number): ToolCalls => {
  /** Looks whether a call has been answered. */
  const waiting = new Map<string, () => void>();

  signals.listen((callId) => {
    if (callId === undefined) for (const look of waiting.values()) look();
    else waiting.get(callId)?.();
  });

  const answerTo = async (id: string): Promise<ToolOutcome | undefined> => {
    const [call] = await db.select().from(toolCalls).where(eq(toolCalls.id, id));
    if (call?.status !== 'answered') return undefined;
    return call.ok ? { ok: true, result: call.result ?? {} } : { ok: false, reason: 'client_error' };
  };

  const close = async (id: string, status: 'timed_out' | 'abandoned'): Promise<void> => {
    await db
      .update(toolCalls)
      .set({ status, closedAt: new Date(now()) })
      .where(and(eq(toolCalls.id, id), eq(toolCalls.status, 'open')));
  };

  return {
    async open(conversationId, action, args, signal) {
      const id = newId('call');
      const timeoutMs = Number(action.config['timeout_ms'] ?? defaultToolTimeoutMs);
      await db.insert(toolCalls).values({
        id,
        conversationId,
        actionId: action.id,
        arguments: args,
        status: 'open',
        createdAt: new Date(now()),
        expiresAt: new Date(now() + timeoutMs),
      });
      const outcome = new Promise<ToolOutcome>((resolve, reject) => {
        const finish = (what: ToolOutcome) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiting.delete(id);
          resolve(what);
        };
        const look = () => void answerTo(id).then((answer) => answer && finish(answer), reject);
        // An answer that got in before the end counts, even when nobody was told of it.
        const end = (status: 'timed_out' | 'abandoned') =>
          close(id, status)
            .then(() => answerTo(id))
            .then((answer) => finish(answer ?? { ok: false, reason: 'client_timeout' }), reject);
        const timer = setTimeout(() => void end('timed_out'), timeoutMs);
        const onAbort = () => void end('abandoned');
        waiting.set(id, look);
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      });
      return { id, name: action.name, arguments: args, timeoutMs, outcome };
    },

    async answer({ conversationId, callId, ok, result, error }) {
      const mine = and(eq(toolCalls.id, callId), eq(toolCalls.conversationId, conversationId));
      const at = new Date(now());
      await db.transaction(async (tx) => {
        const closed = await tx
          .update(toolCalls)
          .set({ status: 'answered', ok, result: result ?? {}, error: error ?? null, closedAt: at })
          .where(and(mine, eq(toolCalls.status, 'open'), gt(toolCalls.expiresAt, at)))
          .returning({ id: toolCalls.id });
        if (closed.length > 0) return signals.send(tx, callId);
        const [known] = await tx.select({ id: toolCalls.id }).from(toolCalls).where(mine);
        throw new ApiError(known ? 'call_closed' : 'unknown_call');
      });
    },
  };
};
