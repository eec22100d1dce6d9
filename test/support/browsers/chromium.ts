/** Finds Chromium for the tests, or installs it, and starts it. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright';

const shellName = 'chromium-headless-shell';
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

/** Downloads the Chromium of Playwright. */
const download = (): boolean => {
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  return run(process.execPath, cli, 'install', '--no-shell', ...(isAptRoot ? ['--with-deps'] : []), 'chromium');
};

/** Installs Debian packages. Returns false without root or apt. */
export const aptInstall = (...packages: string[]): boolean =>
  isAptRoot &&
  run('apt-get', '-q', 'update') &&
  run('apt-get', '-qy', 'install', '--no-install-recommends', ...packages);

/** Debian's packages come first: a download of Playwright ends only after it has installed packages, and has tried several times. */
const install = (): boolean =>
  aptInstall('chromium', shellName, 'fonts-noto-core', 'fonts-noto-color-emoji') || download();

/**
 * Returns the path of Chromium or Chrome: `CHROME_PATH`, Playwright's, the system's, or one that is installed now.
 * @throws {Error} When there is none and none can be installed. The message says how to fix that.
 */
export const chromiumPath = (): string => {
  const { CHROME_PATH: named } = process.env;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROME_PATH is no executable: ${named}`);
  }
  const found = find() ?? (install() ? find() : undefined);
  if (found) return found;
  throw new Error('No Chromium or Chrome was found or could be installed. Install one, or set CHROME_PATH to it.');
};

/**
 * Returns the path of the headless shell: the same engine without windows, in which a page opens in half the time. Where there is
 * none, or `CHROME_PATH` names a browser, it is that of Chromium. The shell has no back/forward cache and no permission prompts.
 */
export const shellPath = (): string => {
  const { CHROME_PATH: named, CHROME_SHELL_PATH: shell } = process.env;
  if (shell) return shell;
  const browser = chromiumPath();
  if (named) return browser;
  return onPath(shellName) ?? browser;
};

/** Internal pages that Chromium would load with every window. */
const internalPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'InitialWebUI'];
/** The relevant features of those that Playwright disables. This flag replaces Playwright's list, so they are repeated. */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/** Returns the launch options of Chromium. `args` are further command-line flags. */
export const launchOptions = (...args: string[]): LaunchOptions => ({
  executablePath: chromiumPath(),
  args: [
    '--disable-background-networking',
    `--disable-features=${[...internalPages, ...disabledFeatures].join()}`,
    ...args,
  ],
});

export const launchBrowser = (...args: string[]): Promise<Browser> => chromium.launch(launchOptions(...args));
