/**
 * `npm test`: all tests, or `npm test -- unit` for one kind, or `npm test -- <file> …` for some files. `npm run test:all`
 * is the same with the browser tests in Firefox and WebKitGTK too.
 * Ends with a line `N passed, N failed`.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCdn } from './support/servers/built-widget.ts';
import { add, describeCount, type Count } from './support/count.ts';
import { runBrowserTests } from './support/browsers/web-test-runner.ts';
import { chromiumPath } from './support/browsers/chromium.ts';
import { runNodeTests } from './support/node-runner.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

const inEveryBrowser = process.argv.includes('--every-browser');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** In Node, with the widget as it is built, once for all of them. */
const runWithWidget = async (files: string[]): Promise<Count> => {
  const { folder, remove } = await buildCdn();
  process.env['WIDGET_FOLDER'] = folder;
  return runNodeTests(files, 2).finally(remove);
};

const runners: Record<string, (files: string[]) => Promise<Count>> = {
  unit: (files) => runNodeTests(files, 2),
  service: (files) => runNodeTests(files, 2),
  browser: (files) => runBrowserTests(files, inEveryBrowser),
  faults: runWithWidget,
  e2e: runWithWidget,
};

const filesOf = (kind: string): string[] =>
  readdirSync(join('test', kind), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', kind, file))
    .sort();

const isWanted = (kind: string, file: string) =>
  wanted.length === 0 || wanted.includes(kind) || wanted.some((path) => relative(root, path) === file || path === file);

// The browser is found, or installed, before anything waits for it; its path goes along to the test processes.
process.env['CHROME_PATH'] = chromiumPath();

let total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const [kind, runTests] of Object.entries(runners)) {
  const files = filesOf(kind).filter((file) => isWanted(kind, file));
  if (files.length === 0) continue;
  console.log(`\n${kind}: ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
  const started = performance.now();
  const count = await runTests(files);
  console.log(`${kind}: ${describeCount(count)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  total = add(total, count);
}

// A run of nothing proves nothing.
if (total.passed + total.failed === 0) total.failed = 1;
process.exitCode = total.failed > 0 ? 1 : 0;
process.once('exit', () => console.log(`\n${describeCount(total)}`));
