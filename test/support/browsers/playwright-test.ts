/** Runs test files with Playwright Test, in a process of its own. */
import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Count } from '../count.ts';

const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/** Playwright takes regular expressions for file names. */
const escape = (file: string): string => `${file.replaceAll(/[.\\]/g, String.raw`\$&`)}$`;

/**
 * Runs `files` in a project of `test/playwright.config.ts`.
 * @param environment Variables for this run only, such as the build to test.
 */
export const runPlaywrightTests = (
  project: string,
  files: string[],
  environment: Record<string, string> = {},
): Promise<Count> =>
  new Promise((resolve) => {
    const args = ['test', '--config', 'test/playwright.config.ts', `--project=${project}`, ...files.map(escape)];
    // Playwright compiles TypeScript itself: the options of this process, such as a loader, are not passed on.
    const child = fork(cli, args, { execArgv: [], env: { ...process.env, ...environment } });
    let count: Count = { passed: 0, failed: 0, skipped: 0 };
    child.on('message', (message) => {
      count = message as Count;
    });
    child.once('exit', (code) => {
      // A run that ended before its report has failed, too.
      if (code !== 0 && count.failed === 0) count.failed = 1;
      resolve(count);
    });
  });
