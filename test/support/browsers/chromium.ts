/** Finds a Chromium to test with, and gets one where there is none. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const apps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

export const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);

const find = (): string | undefined =>
  [chromium.executablePath(), ...names.map(onPath), ...apps].find((file) => file && existsSync(file));

const run = (command: string, ...args: string[]): boolean => {
  console.error(`No browser found, running: ${command} ${args.join(' ')}`);
  return spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status === 0;
};

const isAptRoot = process.getuid?.() === 0 && onPath('apt-get') !== undefined;

const download = (): boolean => {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  return run(process.execPath, cli, 'install', '--no-shell', ...(isAptRoot ? ['--with-deps'] : []), 'chromium');
};

/** Installs Debian's packages, where that can be done: as root, with apt. */
export const aptInstall = (...packages: string[]): boolean =>
  isAptRoot &&
  run('apt-get', '-q', 'update') &&
  run('apt-get', '-qy', 'install', '--no-install-recommends', ...packages);

const installChromium = (): boolean => aptInstall('chromium', 'fonts-noto-core', 'fonts-noto-color-emoji');

/**
 * The path of a Chromium or Chrome: `CHROME_PATH`, Playwright's own, the system's, else one that is installed now.
 * @throws {Error} When none is to be had, with what to do.
 */
export const chromiumPath = (): string => {
  const { CHROME_PATH: named } = process.env;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROME_PATH is no executable: ${named}`);
  }
  const found = find() ?? (download() || installChromium() ? find() : undefined);
  if (found) return found;
  throw new Error('No Chromium or Chrome was found or could be installed. Install one, or set CHROME_PATH to it.');
};

/** Pages of Chromium's own that it would load behind every window. */
const behindWindows = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'InitialWebUI'];
/** Playwright turns these off as well, and more that is nothing to us; a second list takes the place of its own. */
const playwrights = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/** How the tests start Chromium; `args` are more of its command-line flags. */
export const launchOptions = (...args: string[]): LaunchOptions => ({
  executablePath: chromiumPath(),
  args: ['--disable-background-networking', `--disable-features=${[...behindWindows, ...playwrights].join()}`, ...args],
});

export const launchBrowser = (...args: string[]): Promise<Browser> => chromium.launch(launchOptions(...args));
