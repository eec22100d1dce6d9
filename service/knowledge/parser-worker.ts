/** Runs the tasks of the parser in a thread of its own, one at a time. */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { CsvError } from 'csv-parse/sync';
import { UnreadableTextError } from './decode-text.ts';
import { NotCsvError, parserTasks, TooManyChunksError, type ParserFailure, type TaskName } from './parser-tasks.ts';

export interface TaskMessage {
  name: TaskName;
  input: never;
}

export type TaskResult =
  | { kind: 'ready'; thread: string | undefined }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; reason: ParserFailure | 'error'; message: string };

const reasonOf = (error: unknown): ParserFailure | 'error' => {
  // The engine reports a string or an array that is too long as a RangeError.
  if (error instanceof TooManyChunksError || error instanceof RangeError) return 'too_complex';
  if (error instanceof UnreadableTextError) return error.reason;
  return error instanceof CsvError || error instanceof NotCsvError ? 'not_csv' : 'error';
};

const run = ({ name, input }: TaskMessage): TaskResult => {
  try {
    return { kind: 'done', result: parserTasks[name](input) };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), message: error instanceof Error ? error.name : String(error) };
  }
};

// On Linux the priority is that of the thread, so that the service is served first. On other systems it is that of the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

parentPort!.on('message', (task: TaskMessage) => parentPort!.postMessage(run(task)));
const thread = process.platform === 'linux' ? readlinkSync('/proc/thread-self') : undefined;
parentPort!.postMessage({ kind: 'ready', thread } satisfies TaskResult);
