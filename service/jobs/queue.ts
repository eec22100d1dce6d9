/**
 * Work done in the background. A job is added in the transaction that makes it necessary, so neither is without the
 * other; several processes share one table, each taking what no other has taken.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { rows, type Db } from '../db/open.ts';
import { jobs } from '../db/schema.ts';
import type { LogEntry } from '../http/environment.ts';

export type JobKind = 'deliver' | 'close_conversation' | 'forget_answers' | 'index_source' | 'expire_request';

/** Resolves when the work is done, or with the time at which it is to be tried again. */
export type JobHandler = (payload: JsonObject) => Promise<Date | void>;

export type JobHandlers = Record<JobKind, JobHandler>;

export interface JobRunner {
  /** Looks for due work every so often until stopped. */
  start(): void;
  /** Does all that is due now, and what comes due by it. */
  drain(): Promise<void>;
  /** Resolves when the work at hand is done. */
  stop(): Promise<void>;
}

interface Claimed {
  id: number;
  kind: JobKind;
  payload: JsonObject;
  attempts: number;
}

const pollIntervalMs = 500;
const lease = 60_000;
const maxConcurrentJobs = 4;
/** Minutes after which work that failed unexpectedly is tried again; after the last it is given up. */
const patience = [1, 5, 30, 120];

export const addJob = async (tx: Db, kind: JobKind, payload: JsonObject, runAt: Date): Promise<void> => {
  await tx.insert(jobs).values({ kind, payload, runAt });
};

export const createJobRunner = (
  { db, now, log }: { db: Db; now: () => number; log: (entry: LogEntry) => void },
  handlers: JobHandlers,
): JobRunner => {
  const holder = randomUUID();
  const working = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const claim = (limit: number): Promise<Claimed[]> => {
    const at = new Date(now()).toISOString();
    const until = new Date(now() + lease).toISOString();
    return rows<Claimed>(
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

  const run = async (job: Claimed): Promise<void> => {
    const mine = and(eq(jobs.id, job.id), eq(jobs.holder, holder));
    const renewal = setInterval(() => {
      db.update(jobs)
        .set({ lockedUntil: new Date(now() + lease) })
        .where(mine)
        .catch(() => {});
    }, lease / 3);
    let again: Date | undefined;
    try {
      again = (await handlers[job.kind](job.payload)) ?? undefined;
    } catch (error) {
      const minutes = patience[job.attempts - 1];
      if (minutes !== undefined) again = new Date(now() + minutes * 60_000);
      const cause = error instanceof Error ? error.stack : String(error);
      log({ level: 'error', event: 'job_failure', kind: job.kind, again: again?.toISOString(), error: cause });
    } finally {
      clearInterval(renewal);
    }
    if (again) await db.update(jobs).set({ runAt: again, holder: null, lockedUntil: null }).where(mine);
    else await db.delete(jobs).where(mine);
  };

  const look = async (): Promise<number> => {
    const claimed = stopped ? [] : await claim(maxConcurrentJobs - working.size);
    for (const job of claimed) {
      const work = run(job).finally(() => working.delete(work));
      working.add(work);
    }
    return claimed.length;
  };

  const wake = (): void => {
    if (stopped || working.size >= maxConcurrentJobs) return;
    const looking = look()
      .then((found) => {
        if (found > 0) void Promise.allSettled(working).then(wake);
      })
      .catch((error: unknown) => log({ level: 'error', event: 'job_failure', error: String(error) }))
      .finally(() => working.delete(looking));
    working.add(looking);
  };

  return {
    start() {
      timer = setInterval(wake, pollIntervalMs);
      timer.unref();
    },
    async drain() {
      for (;;) {
        const found = await look();
        await Promise.all(working);
        if (found === 0) return;
      }
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
};
