/** The queue of background jobs in the database. */
import { sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { queryRows, type Db } from '../db/database.ts';
import { leaseEnd } from '../db/lease.ts';
import { jobs } from '../db/schema.ts';

export type JobKind =
  | 'deliver'
  | 'close_conversation'
  | 'forget_answers'
  | 'index_source'
  | 'expire_request'
  | 'run_request';

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

/** Claims jobs that are due. `skip locked` keeps several processes from claiming the same job. */
export const claimJobs = (db: Db, now: () => number, holder: string, limit: number): Promise<ClaimedJob[]> => {
  const at = new Date(now()).toISOString();
  const until = leaseEnd(now).toISOString();
  return queryRows<ClaimedJob>(
    db,
    sql`update jobs set attempts = attempts + 1, holder = ${holder}, locked_until = ${until}::timestamptz
        where id in (
          select id from jobs
          where run_at <= ${at}::timestamptz and (locked_until is null or locked_until <= ${at}::timestamptz)
          order by run_at, id limit ${limit} for update skip locked
        )
        returning id::int, kind, payload, attempts`,
  );
};
