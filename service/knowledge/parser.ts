/**
 * Parses texts of strangers in a worker with a limit of time and memory, so that no page, file or spreadsheet can block
 * the calls of others.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
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

/** Milliseconds of a task. A regular text of 3 MB takes about one second. */
const taskTimeoutMs = 5000;
const maxMemoryMb = 512;
/** Milliseconds after which an idle worker ends. */
const idleMs = 30_000;

export const createParser = (timeoutMs = taskTimeoutMs): Parser => {
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let previous: Promise<unknown> = Promise.resolve();

  const stop = async (): Promise<void> => {
    clearTimeout(idleTimer);
    const stopped = worker;
    worker = undefined;
    await stopped?.terminate();
  };

  const runNext = async (task: TaskMessage): Promise<unknown> => {
    clearTimeout(idleTimer);
    try {
      worker ??= await startWorker();
      return await runTask(worker, task, timeoutMs);
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

const startWorker = async (): Promise<Worker> => {
  const worker = new Worker(new URL('parser-worker.mjs', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  // An error also rejects the task. Without a listener it would end the process.
  worker.on('error', () => {});
  await nextMessage(worker, undefined);
  // An idle worker does not keep the process alive.
  worker.unref();
  return worker;
};

const runTask = async (worker: Worker, task: TaskMessage, timeoutMs: number): Promise<unknown> => {
  worker.ref();
  worker.postMessage(task);
  const message = await nextMessage(worker, timeoutMs);
  worker.unref();
  if (message.kind === 'done') return message.result;
  if (message.kind === 'failed' && message.reason !== 'error') throw new UnparsableError(message.reason);
  throw new Error(`The parser failed: ${message.kind === 'failed' ? message.message : 'unexpected message'}`);
};

/** @throws {UnparsableError} When no message arrives in time, or the worker exceeds its memory. */
const nextMessage = async (worker: Worker, timeoutMs: number | undefined): Promise<TaskResult> => {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([message]) => message as TaskResult),
      once(worker, 'exit', { signal }).then(([code]) => {
        throw new Error(`The parser's worker ended with code ${code}.`);
      }),
      ...(timeoutMs === undefined
        ? []
        : [
            wait(timeoutMs, undefined, { signal }).then(() => {
              throw new UnparsableError('too_complex');
            }),
          ]),
    ]);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? new UnparsableError('too_complex')
      : error;
  } finally {
    settled.abort();
  }
};
