/**
 * Leases: a process claims a row for a limited time and renews the claim while it works. A process that dies stops
 * renewing, so its rows become free again.
 */
import { pause } from '../core/waiting.ts';
import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { DatabaseContext, Db } from './database.ts';
import { agents, conversations, deliveries, idempotencyKeys, jobs } from './schema.ts';

export const leaseMs = 60_000;

/** Milliseconds between two attempts to end a lease. */
const endingIntervalMs = 1000;

export interface LeaseContext extends DatabaseContext {
  /** Aborted when the service stops. */
  closing: AbortSignal;
  /** Returns a new holder. Its leases end before their time when the process dies. See `processes.ts`. */
  newHolder(): string;
}

/** Returns the time at which a lease that starts now ends. */
export const leaseEnd = (now: () => number): Date => {
  return new Date(now() + leaseMs);
};

/** Renews a lease regularly until the returned function is called. */
export const keepLease = (now: () => number, renew: (until: Date) => Promise<unknown>): (() => void) => {
  const timer = setInterval(() => {
    // A renewal that fails is repeated by the next one, before the lease ends.
    renew(leaseEnd(now)).catch(() => {});
  }, leaseMs / 3);
  timer.unref();
  return () => clearInterval(timer);
};

/**
 * Ends a lease before its time. While the database is not available, the attempts continue in the background, so that a short
 * outage does not block the row until the lease ends by itself.
 */
export const endLease = async (
  { closing }: Pick<LeaseContext, 'closing'>,
  end: () => PromiseLike<unknown>,
): Promise<void> => {
  const hasEnded = async (): Promise<boolean> => {
    try {
      await end();
      return true;
    } catch {
      return false;
    }
  };
  if (!(await hasEnded())) void repeat(hasEnded, closing);
};

const repeat = async (hasEnded: () => Promise<boolean>, closing: AbortSignal): Promise<void> => {
  const expiresAt = performance.now() + leaseMs;
  do await pause(endingIntervalMs, closing);
  while (!closing.aborted && performance.now() < expiresAt && !(await hasEnded()));
};

/** Ends all leases. Only for a database that no other process has open: its lease holders are dead. */
export const releaseAllLeases = (db: Db): Promise<void> => moveLeaseEnds(db, () => sql`to_timestamp(0)`);

/** Moves the end of all leases, when the time is moved. */
export const shiftLeases = (db: Db, milliseconds: number): Promise<void> =>
  moveLeaseEnds(db, (end) => sql`${end} + ${milliseconds} * interval '1 millisecond'`);

const moveLeaseEnds = async (db: Db, moved: (end: AnyPgColumn) => SQL): Promise<void> => {
  // In the order of the other transactions, which save the response to a call last.
  await db
    .update(conversations)
    .set({ turnUntil: moved(conversations.turnUntil) })
    .where(isNotNull(conversations.turnHolder));
  await db
    .update(agents)
    .set({ importingUntil: moved(agents.importingUntil) })
    .where(isNotNull(agents.importingUntil));
  await db
    .update(idempotencyKeys)
    .set({ leaseUntil: moved(idempotencyKeys.leaseUntil) })
    .where(isNull(idempotencyKeys.status));
  await db
    .update(jobs)
    .set({ lockedUntil: moved(jobs.lockedUntil) })
    .where(isNotNull(jobs.holder));
  await db
    .update(deliveries)
    .set({ lockedUntil: moved(deliveries.lockedUntil) })
    .where(isNotNull(deliveries.holder));
};
