/** Runs test files with Node's test runner, each in a process of its own. */
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { compiledPath, compileTests, runFolder, sourceOf } from './compile.ts';
import { emptyCount, type Count } from './count.ts';

// The test processes inherit these options instead of those of this process. PGlite runs only for seconds in each of them: to
// optimize its WebAssembly costs more than it saves.
process.execArgv = ['--enable-source-maps', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** @param environment Variables for this run only. */
export const runNodeTests = async (
  files: string[],
  concurrency: number,
  environment: Record<string, string> = {},
): Promise<Count> => {
  const count = emptyCount();
  if (files.length === 0) return count;
  await compileTests(files);
  // The test processes inherit the environment when they start.
  const before = { ...process.env };
  Object.assign(process.env, environment, { TEST_FOLDER: runFolder });
  const stream = run({
    files: files.map(compiledPath),
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
    if (failureType !== 'subtestsFailed') count.failures.push(`${sourceOf(file)} › ${name}`);
  });
  return new Promise((resolve, reject) => {
    const report = stream.compose(new spec());
    report.on('error', reject);
    report.on('end', () => {
      process.env = before;
      resolve(count);
    });
    report.pipe(process.stdout, { end: false });
  });
};
