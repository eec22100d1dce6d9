/** Runs test files in a real browser through Web Test Runner, compiled in the same way as the builds. */
import { fileURLToPath } from 'node:url';
import {
  defaultReporter,
  startTestRunner,
  type BrowserLauncher,
  type TestRunnerConfig,
  type TestSuiteResult,
} from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { transformWithOxc } from 'vite';
import { shellPath } from './chromium.ts';
import { compileBrowserTests, compiledPath } from '../compile.ts';
import { emptyCount, type Count } from '../count.ts';
import { firefoxLauncher } from './firefox.ts';
import { limit } from '../time-limits.ts';
import { webkitLauncher } from './webkit-launcher.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Plugin = NonNullable<TestRunnerConfig['plugins']>[number];

const typescript: Plugin = {
  name: 'typescript',
  resolveMimeType: ({ path }) => (path.endsWith('.ts') ? 'js' : undefined),
  async transform({ path, body }) {
    if (!path.endsWith('.ts')) return undefined;
    const { code, map } = await transformWithOxc(String(body), root + path.slice(1), { sourcemap: true });
    const inlined = Buffer.from(JSON.stringify(map)).toString('base64');
    return `${code}\n//# sourceMappingURL=data:application/json;base64,${inlined}`;
  },
};

/** @param title Names the browser, the file and the suites around this one. */
const tally = (suite: TestSuiteResult, title: string, count: Count): void => {
  for (const { name, passed, skipped } of suite.tests) {
    if (skipped || passed) count[skipped ? 'skipped' : 'passed']++;
    else count.failures.push(`${title} › ${name}`);
  }
  for (const inner of suite.suites) tally(inner, `${title} › ${inner.name}`, count);
};

/** Moves the clock of a page and of its frames to an instant, from which it goes on. Timers stay as they are. */
const shiftOf = (instant: string): string => `{
  const { now } = Date;
  const shift = Date.parse(${JSON.stringify(instant)}) - now();
  globalThis.Date = class extends Date {
    constructor(...values) {
      super(...(values.length > 0 ? values : [now() + shift]));
    }
    static now() {
      return now() + shift;
    }
  };
}`;

/** @param instant When the tests run, as an ISO 8601 text. */
const chromiumLauncher = (instant?: string): BrowserLauncher =>
  playwrightLauncher({
    product: 'chromium',
    launchOptions: { executablePath: shellPath() },
    async createBrowserContext({ browser }) {
      const context = await browser.newContext();
      if (instant) await context.addInitScript(shiftOf(instant));
      return context;
    },
  });

const others: Record<string, () => BrowserLauncher | null> = { Firefox: firefoxLauncher, WebKitGTK: webkitLauncher };

/** Returns every browser that is or can be installed, and warns about the others. */
const everyLauncher = (): BrowserLauncher[] => [
  chromiumLauncher(),
  ...Object.entries(others).flatMap(([name, make]) => {
    const launcher = make();
    if (!launcher) console.warn(`SKIPPED: ${name} is not installed, and installing it needs root and apt.`);
    return launcher ?? [];
  }),
];

/**
 * @param inEvery Runs the tests in Firefox and WebKitGTK too, where they are installed or can be.
 * @param instant Runs the tests in Chromium as if it were that time, an ISO 8601 text.
 */
export const runBrowserTests = async (files: string[], inEvery = false, instant?: string): Promise<Count> => {
  await compileBrowserTests(files);
  const sources = new Map(files.map((file) => [compiledPath(file), file]));
  const config: TestRunnerConfig = {
    rootDir: root,
    files: [...sources.keys()],
    nodeResolve: true,
    concurrency: 2,
    // WebKitGTK starts its page slowly on a busy machine.
    browserStartTimeout: limit(120_000),
    testsStartTimeout: limit(120_000),
    testsFinishTimeout: limit(120_000),
    concurrentBrowsers: 1,
    browsers: inEvery ? everyLauncher() : [chromiumLauncher(instant)],
    plugins: [typescript],
    testFramework: { config: { timeout: limit(30_000) } },
    filterBrowserLogs: ({ args }) => !String(args[0]).startsWith('Lit is in dev mode'),
    reporters: [defaultReporter({ reportTestProgress: process.stdout.isTTY })],
  };
  const runner = await startTestRunner({ config, readCliArgs: false, readFileConfig: false, autoExitProcess: false });
  if (!runner) throw new Error('The browser tests could not be started.');
  return new Promise((resolve) => {
    runner.on('finished', () => {
      const count = emptyCount();
      for (const { browser, testFile = '', testResults, errors, passed } of runner.sessions.all()) {
        const title = `${browser.name} › ${sources.get(testFile)}`;
        if (testResults) tally(testResults, title, count);
        // A file that does not load has no tests that could fail.
        if (errors.length > 0 || (!passed && !testResults))
          count.failures.push(`${title}: ${errors[0]?.message ?? 'no result'}`);
      }
      void runner.stop().then(() => resolve(count));
    });
  });
};
