/**
 * Runs the tests. `npm test` runs all kinds; `npm test -- unit` runs one kind, and `npm test -- <part of a path> …` the files whose
 * path contains it.
 * `npm run test:all` adds the files named `*.slow.test.ts`, the tests with the tag `@slow`, the other browsers, the other versions of
 * Node.js, the standalone build, more random runs, other days and PostgreSQL.
 * The last line is `N passed, N failed`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { add, describeCount, describeFailures, emptyCount, type Count } from './support/count.ts';
import { runPlaywrightTests } from './support/browsers/playwright-test.ts';
import { runBrowserTests } from './support/browsers/web-test-runner.ts';
import { chromiumPath, shellPath } from './support/browsers/chromium.ts';
import { installPackages } from './support/packages-of.ts';
import { runNodeTests } from './support/node-runner.ts';
import { runOnNode } from './support/other-node.ts';
import { isSelected } from './support/selection.ts';
import { limit } from './support/time-limits.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const isAll = process.argv.includes('--all');
const selected = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** Whether a file of a kind runs. */
const runs = (name: string, { isExtra = false }: Kind, file: string): boolean => {
  if (selected.length === 0) return isAll || !(isExtra || file.endsWith(slowSuffix));
  if (selected.includes(name)) return true;
  const paths = selected.filter((argument) => !Object.hasOwn(kinds, argument));
  return isSelected(file, paths, root) && (isAll || !isExtra || file.endsWith(enginesSuffix));
};

interface Kind {
  /** The folder below `test/`. */
  folder: string;
  run(files: string[]): Promise<Count>;
  /** Only `npm run test:all` runs this kind. */
  isExtra?: boolean;
  /** The end of its files' names. */
  suffix?: string;
}

/** The tests that are too slow for `npm test`. */
const slowSuffix = '.slow.test.ts';

/** The tests with a driver for each browser engine. */
const enginesSuffix = 'engines.test.ts';

/** It takes three times as long as any other file. It starts first, so that no process waits for it at the end. */
const longestFile = 'test/service/statements.test.ts';

/** Seeds of random runs that no earlier day has tried. */
const seedsOfToday = (): string => {
  const count = 50;
  const first = Math.floor(Date.now() / 86_400_000) * count;
  return `${first}-${first + count - 1}`;
};

const monkeySeeds = process.env['MONKEY_SEED'] ?? (isAll ? seedsOfToday() : '1-2');

/** What holds today may not hold in the first hour of a year, late on a leap day, or on the Sunday that ends a month. */
const otherDays = ['2031-01-01T00:20:00Z', '2028-02-29T23:40:00Z', '2029-09-30T05:30:00Z'];

/** Slow files run one after the other, in processes of their own, since some of them measure what a load does to other clients. */
const runFilesOfNode = async (files: string[], environment: Record<string, string> = {}): Promise<Count> => {
  const isSlow = (file: string): boolean => file.endsWith(slowSuffix);
  const count = await runNodeTests(
    files.filter((file) => !isSlow(file)).toSorted((a, b) => Number(b === longestFile) - Number(a === longestFile)),
    { environment, concurrency: 2, fileLimit: limit(120_000) },
  );
  return add(
    count,
    await runNodeTests(files.filter(isSlow), {
      environment,
      concurrency: 1,
      filesPerProcess: 1,
      fileLimit: limit(900_000),
    }),
  );
};

const kinds: Record<string, Kind> = {
  unit: { folder: 'unit', run: runFilesOfNode },
  service: { folder: 'service', run: runFilesOfNode },
  browser: { folder: 'browser', run: (files) => runBrowserTests(files, isAll) },
  faults: { folder: 'faults', run: (files) => runPlaywrightTests('faults', files) },
  monkey: {
    folder: 'monkey',
    run: (files) => runPlaywrightTests('monkey', files, { MONKEY_SEED: monkeySeeds }),
  },
  e2e: {
    folder: 'e2e',
    run(files) {
      if (files.some((file) => file.endsWith(slowSuffix))) installPackages('frameworks');
      return runPlaywrightTests('e2e', files, { HAS_DEMO: '1' });
    },
  },
  'service-on-postgres': {
    folder: 'service',
    isExtra: true,
    run: (files) => runFilesOfNode(files, { TEST_DATABASE: 'postgres' }),
  },
  'faults-of-standalone': {
    folder: 'faults',
    isExtra: true,
    run: (files) => runPlaywrightTests('faults', files, { WIDGET_BUILD: 'standalone' }),
  },
  'monkey-of-standalone': {
    folder: 'monkey',
    isExtra: true,
    run: (files) => runPlaywrightTests('monkey', files, { MONKEY_SEED: monkeySeeds, WIDGET_BUILD: 'standalone' }),
  },
  'unit-and-service-on-node-22': {
    folder: 'unit',
    isExtra: true,
    run: () => runOnNode(22, nodeFiles()),
  },
  'unit-and-service-on-node-24': {
    folder: 'unit',
    isExtra: true,
    run: () => runOnNode(24, nodeFiles()),
  },
  'browser-on-other-days': {
    folder: 'browser',
    isExtra: true,
    async run(files) {
      const quick = files.filter((file) => !file.endsWith(slowSuffix));
      let count = emptyCount();
      for (const instant of otherDays) count = add(count, await runBrowserTests(quick, false, instant));
      return count;
    },
  },
  engines: {
    folder: '.',
    isExtra: true,
    suffix: enginesSuffix,
    run: (files) => runPlaywrightTests('engines', files),
  },
};

const filesOf = ({ folder, suffix = '.test.ts' }: Kind): string[] =>
  readdirSync(join('test', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix) && (suffix === enginesSuffix || !file.endsWith(enginesSuffix)))
    .map((file) => join('test', folder, file))
    .sort();

/** The files that also run on other versions of Node.js. */
const nodeFiles = (): string[] =>
  [kinds['unit']!, kinds['service']!].flatMap(filesOf).filter((file) => !file.endsWith(slowSuffix));

console.log(`Node.js ${process.version}`);

// Ends with a count and without processes and folders of the tests, also when it is interrupted.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

// Tests with the tag `@slow` are left out, and random tests run fewer times.
if (selected.length === 0 && !isAll) process.env['IS_QUICK'] = '1';

// Finds or installs the browsers before any test waits for them. The test processes inherit their paths.
process.env['CHROME_SHELL_PATH'] = shellPath();
process.env['CHROME_PATH'] = chromiumPath();

let total = emptyCount();
process.once('exit', () => console.log(`\n${describeFailures(total)}${describeCount(total)}`));
for (const [name, kind] of Object.entries(kinds)) {
  const files = filesOf(kind).filter((file) => runs(name, kind, file));
  if (files.length === 0) continue;
  console.log(`\n${name}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
  const started = performance.now();
  const count = await kind.run(files);
  console.log(`${name}: ${describeCount(count)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  total = add(total, count);
}

// A run without tests counts as failed.
if (total.passed === 0 && total.failures.length === 0) {
  total.failures.push(`no test was found${selected.length > 0 ? `: no path contains ${selected.join(' or ')}` : ''}`);
}
process.exitCode = total.failures.length > 0 ? 1 : 0;
