/** The queue of background jobs in the database. Each kind of job is a lane with slots of its own. */
import { sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { queryRows, type Db } from '../db/database.ts';
import { leaseEnd } from '../db/lease.ts';
import { isHolderDead } from '../db/processes.ts';
import { jobs } from '../db/schema.ts';

export type JobKind =
  | 'close_conversation'
  | 'index_source'
  | 'embed_source'
  | 'update_terms'
  | 'expire_request'
  | 'run_request'
  | 'send_notice'
  | 'prune';

export interface ClaimedJob {
  id: number;
  kind: JobKind;
  payload: JsonObject;
  attempts: number;
}

/** Adds a job in the transaction that makes it necessary, so that both are stored or neither is. */
export const addJob = async (tx: Db, kind: JobKind, payload: JsonObject, runAt: Date): Promise<void> => {
  await tx.insert(jobs).values({ kind, payload, runAt });
};

/** Adds the job of a recurring kind, unless the database has it already. Its handler returns the time of the next run. */
export const addRecurringJob = async (db: Db, kind: 'prune', runAt: Date): Promise<void> => {
  await db.insert(jobs).values({ kind, payload: {}, runAt }).onConflictDoNothing();
};

/**
 * Claims jobs that are due, as many of each kind as it has free slots. `skip locked` keeps several processes from claiming
 * the same job.
 */
export const claimJobs = async (
  db: Db,
  now: () => number,
  holder: string,
  freeSlots: ReadonlyMap<JobKind, number>,
): Promise<ClaimedJob[]> => {
  const lanes = [...freeSlots].flatMap(([kind, free]) => (free > 0 ? [sql`(${kind}::text, ${free}::int)`] : []));
  if (lanes.length === 0) return [];
  const at = sql`${new Date(now()).toISOString()}::timestamptz`;
  const until = sql`${leaseEnd(now).toISOString()}::timestamptz`;
  return queryRows<ClaimedJob>(
    db,
    sql`update jobs set attempts = attempts + 1, holder = ${holder}, locked_until = ${until}
        where id = any(array(
          select due.id from (values ${sql.join(lanes, sql`, `)}) as lanes (kind, free)
          cross join lateral (
            select id from jobs
            where kind = lanes.kind and run_at <= ${at}
              and (locked_until is null or locked_until <= ${at} or ${isHolderDead(sql`holder`)})
            order by run_at, id limit lanes.free for update skip locked
          ) as due
        ))
        returning id::int, kind, payload, attempts`,
  );
};
