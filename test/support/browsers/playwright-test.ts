/** Runs test files with Playwright Test, in a process of its own. */
import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { emptyCount, type Count } from '../count.ts';
import { buildCdn } from '../servers/built-widget.ts';

const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');

/** Playwright takes regular expressions for file names. */
const escape = (file: string): string => `${file.replaceAll(/[.\\]/g, String.raw`\$&`)}$`;

let widgetFolder: Promise<string> | undefined;

/** Builds the widget once for all runs of this process. */
const builtWidget = async (): Promise<string> => {
  const { folder } = await buildCdn();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/**
 * Runs `files` in a project of `test/playwright.config.ts`.
 * @param environment Variables for this run only, such as the build to test.
 */
export const runPlaywrightTests = async (
  project: string,
  files: string[],
  environment: Record<string, string> = {},
): Promise<Count> => {
  const folder = await (widgetFolder ??= builtWidget());
  return new Promise((resolve) => {
    const args = ['test', '--config', 'test/playwright.config.ts', `--project=${project}`, ...files.map(escape)];
    // Playwright compiles TypeScript itself: the options of this process, such as a loader, are not passed on.
    const child = fork(cli, args, { execArgv: [], env: { ...process.env, WIDGET_FOLDER: folder, ...environment } });
    const end = () => void child.kill();
    process.once('exit', end);
    let count = emptyCount();
    child.on('message', (message) => {
      count = message as Count;
    });
    child.once('exit', (code) => {
      process.off('exit', end);
      // A run that ended before its report has failed, too.
      if (code !== 0 && count.failures.length === 0)
        count.failures.push(`${project}: Playwright ended with code ${code}`);
      resolve(count);
    });
  });
};
