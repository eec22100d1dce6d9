/**
 * One turn at a time in a conversation. Within the process turns queue up in order; between processes the row says
 * whose turn it is, as a lease that is renewed, so that no transaction stays open while an answer streams.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { conversations } from '../db/schema.ts';
import type { Conversation } from './conversations.ts';

interface Taken {
  /** As it is now that the turn has come. */
  conversation: Conversation;
  release(): Promise<void>;
}

export interface Turns {
  /** Waits for the turns before; undefined when the signal aborts first, or the conversation is gone. */
  take(conversationId: string, signal: AbortSignal): Promise<Taken | undefined>;
}

const lease = 60_000;
const pollEvery = 50;

export const createTurns = (db: Db, now: () => number): Turns => {
  const last = new Map<string, Promise<void>>();

  const claim = async (id: string, holder: string): Promise<Conversation | undefined> => {
    const at = now();
    const [claimed] = await db
      .update(conversations)
      .set({ turnHolder: holder, turnUntil: new Date(at + lease) })
      .where(
        and(eq(conversations.id, id), or(isNull(conversations.turnHolder), lte(conversations.turnUntil, new Date(at)))),
      )
      .returning();
    return claimed;
  };

  const exists = async (id: string): Promise<boolean> => {
    const found = await db.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, id));
    return found.length > 0;
  };

  const held = (id: string, holder: string, leave: () => void): (() => Promise<void>) => {
    const mine = and(eq(conversations.id, id), eq(conversations.turnHolder, holder));
    const renewal = setInterval(() => {
      db.update(conversations)
        .set({ turnUntil: new Date(now() + lease) })
        .where(mine)
        .catch(() => {});
    }, lease / 3);
    return async () => {
      clearInterval(renewal);
      try {
        await db.update(conversations).set({ turnHolder: null, turnUntil: null }).where(mine);
      } finally {
        leave();
      }
    };
  };

  return {
    async take(id, signal) {
      const before = last.get(id) ?? Promise.resolve();
      let leave = () => {};
      const mine = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const queue = before.then(() => mine);
      last.set(id, queue);
      void queue.then(() => {
        if (last.get(id) === queue) last.delete(id);
      });

      const waited = new AbortController();
      const left = aborted(signal, waited.signal);
      const holder = randomUUID();
      try {
        await Promise.race([before, left]);
        let conversation = signal.aborted ? undefined : await claim(id, holder);
        while (!conversation && !signal.aborted && (await exists(id))) {
          await Promise.race([new Promise((resolve) => setTimeout(resolve, pollEvery)), left]);
          conversation = await claim(id, holder);
        }
        if (conversation) return { conversation, release: held(id, holder, leave) };
      } catch (error) {
        leave();
        throw error;
      } finally {
        waited.abort();
      }
      leave();
      return undefined;
    },
  };
};

/** `until`: when nobody waits any longer, since the signal may live as long as the service. */
const aborted = (signal: AbortSignal, until: AbortSignal): Promise<void> => {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true, signal: until });
  });
};
