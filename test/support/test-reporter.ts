/** A reporter of Node's test runner that sends the results of each file to the process that started it. */
import { inspect } from 'node:util';
import type { TestEvent } from 'node:test/reporters';
import { emptyCount, type Count } from './count.ts';

/** To the runner: the test that has started, or the results of a file. */
export type Report = { test: string } | { file: string; count: Count; times: string; output: string };

/** The parent's pipe may be closed, when the process ends with it. */
const send = (report: Report) => void process.send?.(report, () => {});

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

export default async function* reportFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let count = emptyCount();
  let output = '';
  const suites: string[] = [];
  let before = process.cpuUsage();
  for await (const event of source) {
    if (event.type === 'test:start') {
      suites.length = event.data.nesting;
      suites.push(event.data.name);
    }
    if (event.type === 'test:dequeue') send({ test: event.data.name });
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { details, name, nesting, skip, todo } = event.data;
    if (event.type === 'test:fail') {
      // A suite that fails only because of its tests is not counted again.
      const { error } = event.data.details as { error: Error & { failureType?: string } };
      if (error.failureType !== 'subtestsFailed') {
        const title = nesting === 0 ? 'the file' : [...suites.slice(1, nesting), name].join(' › ');
        count.failures.push(title);
        output += `✖ ${title}\n${inspect(error.cause ?? error)}\n`;
      }
    } else if (details.type !== 'suite') {
      if (skip !== undefined || todo !== undefined) count.skipped++;
      else count.passed++;
    }
    if (nesting > 0) continue;
    const { user, system } = process.cpuUsage(before);
    const times = `${seconds(details.duration_ms)}, of which the processor ${seconds((user + system) / 1000)}`;
    send({ file: name, count, times, output });
    before = process.cpuUsage();
    count = emptyCount();
    output = '';
  }
}
