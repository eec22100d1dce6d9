/**
 * Heartbeats: each process that shares the database updates its row in short intervals. When a process dies, its leases
 * end as soon as its row is old, and not only at their own end. A row works behind every connection pooler, which a lock of a
 * database session does not.
 */
import { randomUUID } from 'node:crypto';
import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Db } from './database.ts';
import { processes } from './schema.ts';

export const heartbeatMs = 2500;
/** A process without a heartbeat for this time is dead. Three heartbeats may be late or lost. */
export const silenceMs = 8000;
const deleteAfterMs = 60_000;

export interface Heartbeat {
  /** Returns a new holder of leases, which are valid while the process is alive. */
  newHolder(): string;
  beat(): Promise<void>;
  /** Ends all leases of the process. */
  stop(): Promise<void>;
}

/**
 * Registers the process and repeats its heartbeat until it is stopped.
 * @param connection Returns a connection on which a heartbeat does not wait for other queries. A process under load is alive.
 * @param onLost Called when a heartbeat has failed.
 */
export const startHeartbeat = async (connection: () => Db, onLost: (cause: Error) => void): Promise<Heartbeat> => {
  const id = randomUUID();
  const seenAt = sql`clock_timestamp()`;
  const beat = async (): Promise<void> => {
    const db = connection();
    await db.insert(processes).values({ id, seenAt }).onConflictDoUpdate({ target: processes.id, set: { seenAt } });
    await db.delete(processes).where(isSilentFor(deleteAfterMs));
  };
  await beat();
  let isBeating = false;
  const repeat = async (): Promise<void> => {
    if (isBeating) return;
    isBeating = true;
    await beat().catch(onLost);
    isBeating = false;
  };
  const timer = setInterval(() => void repeat(), heartbeatMs);
  timer.unref();
  return {
    newHolder: () => `${id}/${randomUUID()}`,
    beat,
    async stop() {
      clearInterval(timer);
      await connection().delete(processes).where(eq(processes.id, id));
    },
  };
};

const isSilentFor = (milliseconds: number): SQL =>
  sql`${processes.seenAt} <= clock_timestamp() - ${milliseconds} * interval '1 millisecond'`;

/** The condition that the holder of a lease was a process that is dead. */
export const isHolderDead = (holder: SQLWrapper): SQL => {
  // A holder without a slash belongs to no registered process.
  return sql`(${holder} like '%/%' and not exists (select 1 from ${processes}
    where ${processes.id} = split_part(${holder}, '/', 1) and not ${isSilentFor(silenceMs)}))`;
};
