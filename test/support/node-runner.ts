/** Runs test files with Node's test runner, each in a process of its own. */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { relative } from 'node:path';
import { emptyCount, type Count } from './count.ts';

// The test processes inherit these options. PGlite runs only for seconds in each of them: to optimize its WebAssembly costs more
// than it saves.
process.execArgv.push('--no-wasm-tier-up', '--no-wasm-dynamic-tiering');

/** @param environment Variables for this run only. */
export const runNodeTests = (
  files: string[],
  concurrency: number,
  environment: Record<string, string> = {},
): Promise<Count> =>
  new Promise((resolve, reject) => {
    const before = { ...process.env };
    Object.assign(process.env, environment);
    const count = emptyCount();
    const stream = run({
      files,
      concurrency,
      timeout: files.some((file) => file.includes('.slow.')) ? 900_000 : 300_000,
    });
    stream.on('test:pass', ({ details, skip, todo }) => {
      if (details.type === 'suite') return;
      if (skip !== undefined || todo !== undefined) count.skipped++;
      else count.passed++;
    });
    stream.on('test:fail', ({ name, file = '', details }) => {
      // A suite or a file that fails only because of its tests is not counted again.
      const { failureType } = details.error as { failureType?: string };
      if (failureType !== 'subtestsFailed') count.failures.push(`${relative(process.cwd(), file)} › ${name}`);
    });
    const report = stream.compose(new spec());
    report.on('error', reject);
    report.on('end', () => {
      // The test processes inherit the environment when they start.
      for (const name of Object.keys(environment)) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      resolve(count);
    });
    report.pipe(process.stdout, { end: false });
  });
