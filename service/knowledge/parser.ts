/**
 * Parses texts of strangers in a worker with a limit of time and memory, so that no page, file or spreadsheet can block
 * the calls of others.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ParserFailure, ParserTasks, TaskName } from './parser-tasks.ts';
import type { TaskMessage, TaskResult } from './parser-worker.ts';

export class UnparsableError extends Error {
  readonly reason: ParserFailure;

  constructor(reason: ParserFailure) {
    super(reason);
    this.name = 'UnparsableError';
    this.reason = reason;
  }
}

export interface Parser {
  /** @throws {UnparsableError} When the text is not in its format, or its parsing exceeds the limits. */
  run<Name extends TaskName>(
    name: Name,
    input: Parameters<ParserTasks[Name]>[0],
  ): Promise<ReturnType<ParserTasks[Name]>>;
  /** Ends the worker. */
  close(): Promise<void>;
}

/** The limits of a task in milliseconds. */
interface Limits {
  /** Processor time. A regular text of 3 MB takes about one second. */
  processorMs: number;
  /** Time on the clock, which passes on a busy host although the text is simple. */
  clockMs: number;
}

const defaultLimits: Limits = { processorMs: 5000, clockMs: 60_000 };
/** Milliseconds between two looks at the time that a task has used. */
const watchIntervalMs = 100;
const maxMemoryMb = 512;
/** Milliseconds after which an idle worker ends. */
const idleMs = 30_000;

/** The parser got so little processor time that nothing can be said about the text. The task may be tried again. */
export class ParserDelayedError extends Error {
  constructor() {
    super('The parser got too little processor time.');
    this.name = 'ParserDelayedError';
  }
}

/** @param timeOf Returns the processor time of a thread in milliseconds, or undefined where the system does not tell it. */
export const createParser = (limits: Partial<Limits> = {}, timeOf = threadTime): Parser => {
  const watched: WatchOptions = { ...defaultLimits, ...limits, timeOf };
  let worker: ParserThread | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    clearTimeout(idleTimer);
    const stopped = worker;
    worker = undefined;
    await stopped?.worker.terminate();
  };

  const runNext = async (task: TaskMessage): Promise<unknown> => {
    clearTimeout(idleTimer);
    try {
      worker ??= await startWorker();
      return await runTask(worker, task, watched);
    } catch (error) {
      if (!(error instanceof UnparsableError) || error.reason === 'too_complex') await stop();
      throw error;
    } finally {
      idleTimer = setTimeout(() => void stop(), idleMs);
      idleTimer.unref();
    }
  };

  return {
    // One task at a time, so that parsing uses at most one core.
    run: (name, input) => {
      const result = previous.then(() => runNext({ name, input: input as never }));
      previous = result.catch(() => {});
      return result as never;
    },
    close: async () => {
      await previous;
      await stop();
    },
  };
};

interface ParserThread {
  worker: Worker;
  /** The thread in the file system of Linux, for its processor time. */
  thread: string | undefined;
}

interface WatchOptions extends Limits {
  timeOf(thread: string | undefined): number | undefined;
}

const startWorker = async (): Promise<ParserThread> => {
  const worker = new Worker(new URL('parser-worker.mjs', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  // An error also rejects the task. Without a listener it would end the process.
  worker.on('error', () => {});
  const ready = await nextMessage(worker);
  // An idle worker does not keep the process alive.
  worker.unref();
  return { worker, thread: ready.kind === 'ready' ? ready.thread : undefined };
};

const runTask = async (
  { worker, thread }: ParserThread,
  task: TaskMessage,
  options: WatchOptions,
): Promise<unknown> => {
  worker.ref();
  const ended = new AbortController();
  try {
    const limit = watch(thread, options, ended.signal);
    worker.postMessage(task);
    const message = await Promise.race([nextMessage(worker, ended.signal), limit]);
    worker.unref();
    if (message.kind === 'done') return message.result;
    if (message.kind === 'failed' && message.reason !== 'error') throw new UnparsableError(message.reason);
    throw new Error(`The parser failed: ${message.kind === 'failed' ? message.message : 'unexpected message'}`);
  } finally {
    ended.abort();
  }
};

/** Rejects when the thread has used the processor time of a task, or has not got it in a much longer time. */
const watch = (
  thread: string | undefined,
  { processorMs, clockMs, timeOf }: WatchOptions,
  signal: AbortSignal,
): Promise<never> => {
  const startedAt = performance.now();
  const usedBefore = timeOf(thread);
  return new Promise<never>((_, reject) => {
    const check = (): void => {
      const elapsed = performance.now() - startedAt;
      const used = timeOf(thread);
      // Where the system does not tell the processor time, it is that of the clock.
      const processorTime = used === undefined || usedBefore === undefined ? elapsed : used - usedBefore;
      if (processorTime >= processorMs) reject(new UnparsableError('too_complex'));
      else if (elapsed >= clockMs) reject(new ParserDelayedError());
    };
    const timer = setInterval(check, watchIntervalMs);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  });
};

/** Milliseconds of one tick, in which Linux counts the time of a thread. */
const tickMs = 10;

/** Returns the processor time of a thread on Linux. Node.js tells it from version 24 on only. */
export const threadTime = (thread: string | undefined): number | undefined => {
  if (thread === undefined) return undefined;
  try {
    // The name in parentheses may contain spaces. The times are the 14th and 15th field, counted from 1.
    const fields = readFileSync(`/proc/${thread}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
};

/** @throws {UnparsableError} When the worker exceeds its memory. */
const nextMessage = async (worker: Worker, ended?: AbortSignal): Promise<TaskResult> => {
  const settled = new AbortController();
  const signal = ended ? AbortSignal.any([settled.signal, ended]) : settled.signal;
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([message]) => message as TaskResult),
      once(worker, 'exit', { signal }).then(([code]) => {
        throw new Error(`The parser's worker ended with code ${code}.`);
      }),
    ]);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? new UnparsableError('too_complex')
      : error;
  } finally {
    settled.abort();
  }
};
