/** Runs the background jobs that are due, a few at a time. */
import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { JsonObject } from '../../contract/wire.ts';
import { errorText, type Log } from '../core/log.ts';
import type { DatabaseContext } from '../db/database.ts';
import { keepLease } from '../db/lease.ts';
import { jobs } from '../db/schema.ts';
import { claimJobs, type ClaimedJob, type JobKind } from './queue.ts';

/** Resolves when the job is done, or with the time of its next attempt. */
export type JobHandler = (payload: JsonObject) => Promise<Date | void>;

export type JobHandlers = Record<JobKind, JobHandler>;

export interface JobRunner {
  /** Polls for due jobs until stopped. */
  start(): void;
  /** Runs all jobs that are due, and those that they make due. */
  drain(): Promise<void>;
  /** Stops polling and resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

interface RunnerContext extends DatabaseContext {
  log: Log;
}

const pollIntervalMs = 500;
const maxConcurrentJobs = 4;
/** Minutes until the next attempt after an unexpected error. The job is deleted after the last one. */
const retryDelaysMinutes = [1, 5, 30, 120];

/** @param failures Called with the payload of a job that is given up after its last attempt. */
export const createJobRunner = (
  context: RunnerContext,
  handlers: JobHandlers,
  failures: Partial<JobHandlers> = {},
): JobRunner => {
  const holder = randomUUID();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const startDueJobs = async (): Promise<number> => {
    if (isStopped) return 0;
    const claimed = await claimJobs(context.db, context.now, holder, maxConcurrentJobs - running.size);
    for (const job of claimed) {
      const work = runJob(context, withFailure(handlers[job.kind], failures[job.kind], job), holder, job).finally(() =>
        running.delete(work),
      );
      running.add(work);
    }
    return claimed.length;
  };

  const poll = (): void => {
    if (isStopped || running.size >= maxConcurrentJobs) return;
    const polling = startDueJobs()
      .then((count) => {
        if (count > 0) void Promise.allSettled(running).then(poll);
      })
      .catch((error: unknown) => context.log({ level: 'error', event: 'job_failure', error: errorText(error) }))
      .finally(() => running.delete(polling));
    running.add(polling);
  };

  return {
    start() {
      timer = setInterval(poll, pollIntervalMs);
      timer.unref();
    },
    async drain() {
      for (;;) {
        const count = await startDueJobs();
        await Promise.all(running);
        if (count === 0) return;
      }
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
};

/**
 * Returns a handler that ends a job after its last attempt. An attempt may also have ended with its process, so the
 * attempts are counted before they start.
 */
const withFailure = (handle: JobHandler, fail: JobHandler | undefined, { attempts }: ClaimedJob): JobHandler => {
  if (!fail || attempts <= retryDelaysMinutes.length) return handle;
  return async (payload) => {
    if (attempts > retryDelaysMinutes.length + 1) return fail(payload);
    try {
      return await handle(payload);
    } catch (error) {
      await fail(payload);
      throw error;
    }
  };
};

const runJob = async (
  { db, now, log }: RunnerContext,
  handle: JobHandler,
  holder: string,
  job: ClaimedJob,
): Promise<void> => {
  const isOurs = and(eq(jobs.id, job.id), eq(jobs.holder, holder));
  const stopRenewing = keepLease(now, (lockedUntil) => db.update(jobs).set({ lockedUntil }).where(isOurs));
  let nextAttempt: Date | undefined;
  try {
    nextAttempt = (await handle(job.payload)) ?? undefined;
  } catch (error) {
    const minutes = retryDelaysMinutes[job.attempts - 1];
    if (minutes !== undefined) nextAttempt = new Date(now() + minutes * 60_000);
    const again = nextAttempt?.toISOString();
    log({ level: 'error', event: 'job_failure', kind: job.kind, again, error: errorText(error) });
  } finally {
    stopRenewing();
  }
  if (nextAttempt) {
    await db.update(jobs).set({ runAt: nextAttempt, holder: null, lockedUntil: null }).where(isOurs);
  } else {
    await db.delete(jobs).where(isOurs);
  }
};
