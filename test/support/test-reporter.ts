/** A reporter of Node's test runner that sends the results of each file to the process that started it. */
import { Transform } from 'node:stream';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { emptyCount, type Count } from './count.ts';

/** To the runner: the test that has started, or the results of a file. */
export type Report = { test: string } | { file: string; count: Count; times: string; output: string };

/** The parent's pipe may be closed, when the process ends with it. */
const send = (report: Report) => void process.send?.(report, () => {});

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

let count = emptyCount();
let output = '';
let before = process.cpuUsage();
/** The suites around the current test. The first one is the file. */
const suites: string[] = [];

const onFailure = (title: string, error: Error & { failureType?: string }): void => {
  // A suite that fails only because of its tests is not counted again.
  if (error.failureType === 'subtestsFailed') return;
  count.failures.push(title);
  output += `✖ ${title}\n${inspect(error.cause ?? error)}\n`;
};

const onFileEnd = (file: string, milliseconds: number): void => {
  const { user, system } = process.cpuUsage(before);
  const times = `${seconds(milliseconds)}, of which the processor ${seconds((user + system) / 1000)}`;
  send({ file, count, times, output });
  before = process.cpuUsage();
  count = emptyCount();
  output = '';
};

const onEvent = (event: TestEvent): void => {
  if (event.type === 'test:start') {
    suites.length = event.data.nesting;
    suites.push(event.data.name);
  }
  if (event.type === 'test:dequeue') send({ test: event.data.name });
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return;
  const { details, name, nesting, skip, todo } = event.data;
  if (event.type === 'test:fail') {
    const title = nesting === 0 ? 'the file' : [...suites.slice(1, nesting), name].join(' › ');
    onFailure(title, event.data.details.error);
  } else if (details.type !== 'suite') {
    if (skip !== undefined || todo !== undefined) count.skipped++;
    else count.passed++;
  }
  if (nesting === 0) onFileEnd(name, details.duration_ms);
};

/** The reports go to the parent, and no text to the terminal. */
export default new Transform({
  writableObjectMode: true,
  transform(event, _encoding, callback) {
    onEvent(event);
    callback();
  },
});
