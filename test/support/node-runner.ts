/** Runs test files in Node, each in a process of its own, and shows them as they end. */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import type { Count } from './count.ts';

export const runNodeTests = (files: string[], concurrency: number): Promise<Count> =>
  new Promise((resolve, reject) => {
    const count: Count = { passed: 0, failed: 0, skipped: 0 };
    const stream = run({ files, concurrency, timeout: 300_000 });
    stream.on('test:pass', ({ details, skip, todo }) => {
      if (details.type === 'suite') return;
      if (skip !== undefined || todo !== undefined) count.skipped++;
      else count.passed++;
    });
    stream.on('test:fail', ({ details }) => {
      // A suite, or a file, that fails by its tests alone adds nothing to them.
      const { failureType } = details.error as { failureType?: string };
      if (failureType !== 'subtestsFailed') count.failed++;
    });
    const report = stream.compose(new spec());
    report.on('error', reject);
    report.on('end', () => resolve(count));
    report.pipe(process.stdout, { end: false });
  });
