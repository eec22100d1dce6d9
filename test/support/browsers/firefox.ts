/** Finds Firefox, or installs Debian's ESR, and starts it for Web Test Runner. */
import { chromeLauncher, type BrowserLauncher } from '@web/test-runner';
import { aptInstall, onPath } from './chromium.ts';

const names = ['firefox-esr', 'firefox'];

const find = (): string | undefined => names.map(onPath).find(Boolean);

/** Returns undefined when there is no Firefox and none can be installed. */
export const firefoxPath = (): string | undefined => find() ?? (aptInstall('firefox-esr') ? find() : undefined);

/** Firefox without a window has no pointer. This one has a mouse, which is fine (2) and hovers (4). */
export const firefoxPreferences = { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 };

/** Returns null when there is no Firefox and none can be installed. */
export const firefoxLauncher = (): BrowserLauncher | null => {
  const executablePath = firefoxPath();
  if (!executablePath) return null;
  // Pages behind another page get no animation frames, so there is one page at a time.
  const launchOptions = { browser: 'firefox' as const, executablePath, extraPrefsFirefox: firefoxPreferences };
  const launcher: BrowserLauncher = chromeLauncher({ launchOptions, concurrency: 1 });
  // Puppeteer drives both browsers, and the launcher would be called Chrome.
  launcher.name = 'Firefox';
  return launcher;
};
