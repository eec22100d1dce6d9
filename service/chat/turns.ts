/**
 * Runs one turn at a time in a conversation. Within a process, turns wait in a queue. Between processes, the
 * conversation's row holds a lease, so that no transaction stays open while a reply streams.
 */
import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { pause } from '../core/waiting.ts';
import { prepared, type DatabaseContext, type Db } from '../db/database.ts';
import { endLease, keepLease, leaseEnd, type LeaseContext } from '../db/lease.ts';
import { isHolderDead } from '../db/processes.ts';
import type { Conversation } from '../db/records.ts';
import { conversations } from '../db/schema.ts';

export interface AcquiredTurn {
  /** The conversation as it is when the turn begins. */
  conversation: Conversation;
  /** The holder of the lease. The statement that stores the reply ends the lease. */
  holder: string;
  /** Ends the turn. `hasEnded`: the lease has ended already. */
  release(hasEnded?: boolean): Promise<void>;
}

type Lease = { turnHolder: string; turnUntil: Date };

export interface Turns {
  /** Returns the lease of a turn that starts a conversation. */
  newLease(): Lease;
  /** Holds a conversation that was stored with a new lease. */
  hold(conversation: Conversation, lease: Lease): AcquiredTurn;
  /** Waits for earlier turns. Resolves with undefined when the signal aborts first or the conversation is deleted. */
  acquire(conversationId: string, signal: AbortSignal): Promise<AcquiredTurn | undefined>;
}

const pollIntervalMs = 50;

export const createTurns = (context: LeaseContext): Turns => {
  const { db } = context;
  const queues = createQueues();

  return {
    newLease: () => ({ turnHolder: context.newHolder(), turnUntil: leaseEnd(context.now) }),
    hold: (conversation, { turnHolder }) => hold(context, conversation, turnHolder, queues.join(conversation.id).leave),

    async acquire(id, signal) {
      const { previous, leave } = queues.join(id);
      const { aborted, ignore } = whenAborted(signal);
      const holder = context.newHolder();
      try {
        await Promise.race([previous, aborted]);
        let conversation = signal.aborted ? undefined : await claim(context, id, holder);
        while (!conversation && !signal.aborted && (await exists(db, id))) {
          await pause(pollIntervalMs, signal);
          conversation = await claim(context, id, holder);
        }
        if (conversation) return hold(context, conversation, holder, leave);
      } catch (error) {
        leave();
        throw error;
      } finally {
        ignore();
      }
      leave();
      return undefined;
    },
  };
};

/** One queue of promises for each conversation. `join` returns a promise for the previous turn, and a function that leaves
 * the queue. */
const createQueues = () => {
  const tails = new Map<string, Promise<void>>();
  return {
    join(id: string): { previous: Promise<void>; leave: () => void } {
      const previous = tails.get(id) ?? Promise.resolve();
      let leave = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const tail = previous.then(() => left);
      tails.set(id, tail);
      void tail.then(() => {
        if (tails.get(id) === tail) tails.delete(id);
      });
      return { previous, leave };
    },
  };
};

const claimQuery = prepared('turn.claim', (db) => {
  const { turnHolder, turnUntil } = conversations;
  const isFree = or(isNull(turnHolder), lte(turnUntil, sql.placeholder('now')), isHolderDead(turnHolder));
  return db
    .update(conversations)
    .set({ turnHolder: sql`${sql.placeholder('holder')}`, turnUntil: sql`${sql.placeholder('until')}` })
    .where(and(eq(conversations.id, sql.placeholder('id')), isFree))
    .returning();
});

const claim = async ({ db, now }: DatabaseContext, id: string, holder: string): Promise<Conversation | undefined> => {
  const [claimed] = await claimQuery(db, { id, holder, now: new Date(now()), until: leaseEnd(now) });
  return claimed;
};

const exists = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(conversations, eq(conversations.id, id))) > 0;

/** Renews the lease until it is released. */
const hold = (
  { db, now, closing }: LeaseContext,
  conversation: Conversation,
  holder: string,
  leave: () => void,
): AcquiredTurn => {
  const isOurs = and(eq(conversations.id, conversation.id), eq(conversations.turnHolder, holder));
  const stopRenewing = keepLease(now, (turnUntil) => db.update(conversations).set({ turnUntil }).where(isOurs));
  return {
    conversation,
    holder,
    async release(hasEnded) {
      stopRenewing();
      const end = () => db.update(conversations).set({ turnHolder: null, turnUntil: null }).where(isOurs);
      if (!hasEnded) await endLease({ closing }, end);
      leave();
    },
  };
};

/** `ignore` removes the listener, because the signal may live as long as the service. */
const whenAborted = (signal: AbortSignal): { aborted: Promise<void>; ignore: () => void } => {
  let ignore = () => {};
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    const listener = () => resolve();
    signal.addEventListener('abort', listener, { once: true });
    ignore = () => signal.removeEventListener('abort', listener);
  });
  return { aborted, ignore };
};
