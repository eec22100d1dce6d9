/** Firefox for Web Test Runner: the system's, or Debian's ESR, installed where that can be done. */
import { chromeLauncher, type BrowserLauncher } from '@web/test-runner';
import { aptInstall, onPath } from './chromium.ts';

const names = ['firefox-esr', 'firefox'];

const find = (): string | undefined => names.map(onPath).find(Boolean);

/** Null where there is no Firefox, and none can be installed. */
export const firefoxLauncher = (): BrowserLauncher | null => {
  const executablePath = find() ?? (aptInstall('firefox-esr') ? find() : undefined);
  if (!executablePath) return null;
  // One page at a time: those behind another one get no animation frames.
  const options = { launchOptions: { browser: 'firefox' as const, executablePath }, concurrency: 1 };
  const launcher: BrowserLauncher = chromeLauncher(options);
  // Puppeteer drives both; it would call this one Chrome.
  launcher.name = 'Firefox';
  return launcher;
};
