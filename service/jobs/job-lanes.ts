/** Runs background jobs: each kind in a lane of its own, with a lease, and again after an unexpected error. */
import { and, eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { errorText, type Log } from '../core/log.ts';
import type { Observer } from '../core/observer.ts';
import { keepLease, type LeaseContext } from '../db/lease.ts';
import { jobs } from '../db/schema.ts';
import { claimJobs, type ClaimedJob, type JobKind } from './queue.ts';
import type { WorkQueue } from './runner.ts';

/** Resolves when the job is done, or with the time of its next run. */
export type JobHandler = (payload: JsonObject) => Promise<Date | void>;

export type JobHandlers = Record<JobKind, JobHandler>;

interface JobContext extends LeaseContext {
  observer: Observer;
  log: Log;
}

/** Jobs of each kind that a process runs at the same time. No kind uses the slots of another. */
const maxConcurrentJobs: Record<JobKind, number> = {
  close_conversation: 4,
  expire_request: 2,
  embed_source: 2,
  index_source: 4,
  prune: 1,
  run_request: 8,
  send_notice: 2,
  update_terms: 1,
};

/** Minutes until the next attempt after an unexpected error. The job is deleted after the last one. */
const retryDelaysMinutes = [1, 5, 30, 120];

/**
 * @param failures Called with the payload of a job that is given up after its last attempt. When the process has ended in each
 * attempt, a handler can return the time of the next run in place.
 */
export const createJobLanes = (
  context: JobContext,
  handlers: JobHandlers,
  failures: Partial<JobHandlers> = {},
): WorkQueue => {
  const free = new Map(Object.entries(maxConcurrentJobs) as [JobKind, number][]);
  const addFree = (kind: JobKind, slots: number) => free.set(kind, free.get(kind)! + slots);

  return {
    async claim() {
      // A holder for each claim, so that an attempt whose lease has ended cannot record its result.
      const holder = context.newHolder();
      const claimed = await claimJobs(context.db, context.now, holder, free);
      return claimed.map((job) => {
        const { kind } = job;
        addFree(kind, -1);
        const handle = withFailure(context, handlers[kind], failures[kind], job);
        return () => runJob(context, handle, holder, job).finally(() => addFree(kind, 1));
      });
    },
  };
};

/**
 * Returns a handler that ends a job after its last attempt. An attempt may also have ended with its process, so the
 * attempts are counted before they start.
 */
const withFailure = (
  context: JobContext,
  handle: JobHandler,
  fail: JobHandler = async () => {},
  { attempts }: ClaimedJob,
): JobHandler => {
  if (attempts <= retryDelaysMinutes.length) return handle;
  return async (payload) => {
    if (attempts > retryDelaysMinutes.length + 1) {
      const again = await fail(payload);
      if (again) return again;
      throw new Error('The process has ended in every attempt.');
    }
    try {
      return await handle(payload);
    } catch (error) {
      if (!isInterruption(context, error)) await fail(payload);
      throw error;
    }
  };
};

/** The service stops, and the job was not finished. It is no attempt. */
const isInterruption = ({ closing }: JobContext, error: unknown): boolean =>
  closing.aborted && error === closing.reason;

const runJob = async (context: JobContext, handle: JobHandler, holder: string, job: ClaimedJob): Promise<void> => {
  const { db, now, log, observer } = context;
  const isOurs = and(eq(jobs.id, job.id), eq(jobs.holder, holder));
  const stopRenewing = keepLease(now, (lockedUntil) => db.update(jobs).set({ lockedUntil }).where(isOurs));
  const observation = observer.start('job');
  let result: 'done' | 'failed' | 'interrupted' = 'done';
  let next: { runAt: Date; attempts?: number } | undefined;
  try {
    const runAt = await observation.run(() => handle(job.payload));
    // The attempts are those since the last success.
    if (runAt) next = { runAt, attempts: 0 };
  } catch (error) {
    if (isInterruption(context, error)) {
      result = 'interrupted';
      next = { runAt: new Date(now()), attempts: job.attempts - 1 };
    } else {
      result = 'failed';
      const minutes = retryDelaysMinutes[job.attempts - 1];
      if (minutes !== undefined) next = { runAt: new Date(now() + minutes * 60_000) };
      const again = next?.runAt.toISOString();
      log({ level: 'error', event: 'job_failure', kind: job.kind, again, error: errorText(error) });
    }
  } finally {
    stopRenewing();
    observation.end({ kind: job.kind, result });
  }
  if (next) {
    await db
      .update(jobs)
      .set({ ...next, holder: null, lockedUntil: null })
      .where(isOurs);
  } else {
    await db.delete(jobs).where(isOurs);
  }
};
