/** Client tool calls: opened by a streamed turn, answered once by the visitor's app before their time is out. */
import { and, eq, gt } from 'drizzle-orm';
import type { JsonObject } from '../../../src/api/wire.ts';
import type { Action, ToolOutcome } from '../answer/answerer.ts';
import type { Db } from '../db/open.ts';
import { toolCalls } from '../db/schema.ts';
import { ApiError } from '../http/errors.ts';
import { newId } from '../http/identifiers.ts';

interface OpenCall {
  id: string;
  name: string;
  arguments: JsonObject;
  timeoutMs: number;
  /** Settles with the app's answer, or when the time is out or the turn has ended. */
  outcome: Promise<ToolOutcome>;
}

interface ToolAnswer {
  conversationId: string;
  callId: string;
  ok: boolean;
  result?: JsonObject | undefined;
  error?: string | undefined;
}

export interface OpenCalls {
  open(conversationId: string, action: Action, args: JsonObject, signal: AbortSignal): Promise<OpenCall>;
  answer(answer: ToolAnswer): Promise<void>;
}

const defaultTimeout = 15_000;

/** The rows decide who answered first; the waiting turn is only told. */
export function createOpenCalls(db: Db, now: () => number): OpenCalls {
  const waiting = new Map<string, (outcome: ToolOutcome) => void>();

  /** False when the call was closed already. */
  async function close(id: string, status: 'timed_out' | 'abandoned'): Promise<boolean> {
    const closed = await db
      .update(toolCalls)
      .set({ status, closedAt: new Date(now()) })
      .where(and(eq(toolCalls.id, id), eq(toolCalls.status, 'open')))
      .returning({ id: toolCalls.id });
    return closed.length > 0;
  }

  return {
    async open(conversationId, action, args, signal) {
      const id = newId('call');
      const timeoutMs = Number(action.config['timeout_ms'] ?? defaultTimeout);
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
          stopWaiting();
          resolve(what);
        };
        const giveUp = (status: 'timed_out' | 'abandoned') => {
          close(id, status).then((closed) => {
            // An answer that got in first is on its way to `finish`.
            if (closed || status === 'abandoned') finish({ ok: false, reason: 'client_timeout' });
          }, reject);
        };
        const timer = setTimeout(() => giveUp('timed_out'), timeoutMs);
        const onAbort = () => giveUp('abandoned');
        const stopWaiting = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          waiting.delete(id);
        };
        waiting.set(id, finish);
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
      });
      return { id, name: action.name, arguments: args, timeoutMs, outcome };
    },

    async answer({ conversationId, callId, ok, result, error }) {
      const mine = and(eq(toolCalls.id, callId), eq(toolCalls.conversationId, conversationId));
      const at = new Date(now());
      const closed = await db
        .update(toolCalls)
        .set({ status: 'answered', ok, result: result ?? {}, error: error ?? null, closedAt: at })
        .where(and(mine, eq(toolCalls.status, 'open'), gt(toolCalls.expiresAt, at)))
        .returning({ id: toolCalls.id });
      if (closed.length === 0) {
        const [known] = await db.select({ id: toolCalls.id }).from(toolCalls).where(mine);
        throw new ApiError(known ? 'call_closed' : 'unknown_call');
      }
      waiting.get(callId)?.(ok ? { ok: true, result: result ?? {} } : { ok: false, reason: 'client_error' });
    },
  };
}
