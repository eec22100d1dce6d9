/** Runs the background work that is due. Each queue starts its next work as soon as one piece has ended. */
import { errorText, type Log } from '../core/log.ts';

/** A queue of work in the database. It limits how much of its work runs at the same time. */
export interface WorkQueue {
  /** Claims the work that is due and has a free slot. The caller runs every piece, and each frees its slot at its end. */
  claim(): Promise<Work[]>;
}

export type Work = () => Promise<void>;

export interface JobRunner {
  /** Looks for due work in short intervals until stopped. */
  start(): void;
  /** Looks for due work now, if the runner was started. */
  wake(): void;
  /** Runs all work that is due, and the work that it makes due. */
  drain(): Promise<void>;
  /** Starts no more work and resolves when the running work has ended. */
  stop(): Promise<void>;
}

const pollIntervalMs = 500;
/** Milliseconds between a claim and the next one that is woken, so that many short pieces share a claim. */
const claimIntervalMs = 50;

export const createRunner = (log: Log, queues: WorkQueue[]): JobRunner => {
  const logError = (error: unknown) => log({ level: 'error', event: 'job_failure', error: errorText(error) });
  const starters = queues.map((queue) => createStarter(queue, logError));
  const running = () => starters.flatMap((starter) => [...starter.running]);
  let timer: NodeJS.Timeout | undefined;

  const wake = (): void => {
    if (timer !== undefined) starters.forEach((starter) => starter.wake());
  };

  return {
    start() {
      timer = setInterval(wake, pollIntervalMs);
      timer.unref();
      starters.forEach((starter) => {
        starter.continues = true;
      });
    },
    wake,
    async drain() {
      for (;;) {
        const started = await Promise.all(starters.map((starter) => starter.startDue()));
        if (running().length === 0 && started.every((count) => count === 0)) return;
        await Promise.all(running());
      }
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await Promise.all(starters.map((starter) => starter.stop()));
    },
  };
};

interface Starter {
  readonly running: ReadonlySet<Promise<void>>;
  /** Whether the end of a piece of work starts the next one. */
  continues: boolean;
  /** Resolves to the number of pieces that were started. */
  startDue(): Promise<number>;
  /** Like `startDue`, at once or soon after the last claim. Many calls in a short time are one. */
  wake(): void;
  stop(): Promise<void>;
}

const createStarter = (queue: WorkQueue, logError: (error: unknown) => void): Starter => {
  const running = new Set<Promise<void>>();
  let claiming: Promise<number> = Promise.resolve(0);
  let lastClaimAt = -claimIntervalMs;
  let isWoken = false;
  let isStopped = false;

  const claimNext = async (): Promise<number> => {
    isWoken = false;
    if (isStopped) return 0;
    const claimed = await queue.claim().finally(() => {
      lastClaimAt = performance.now();
    });
    for (const work of claimed) {
      const run = work().finally(() => {
        running.delete(run);
        if (starter.continues) starter.wake();
      });
      run.catch(logError);
      running.add(run);
    }
    return claimed.length;
  };

  const starter: Starter = {
    running,
    continues: false,
    startDue() {
      // One claim at a time, so that no two use the same free slots.
      claiming = claiming.catch(() => 0).then(claimNext);
      return claiming;
    },
    wake() {
      if (isWoken || isStopped) return;
      isWoken = true;
      const start = () => void starter.startDue().catch(logError);
      const wait = lastClaimAt + claimIntervalMs - performance.now();
      if (wait <= 0) start();
      else setTimeout(start, wait).unref();
    },
    async stop() {
      isStopped = true;
      await claiming.catch(() => 0);
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
  return starter;
};
