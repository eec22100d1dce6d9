/** Playwright Test runs the fault tests, the end-to-end tests and the pictures in Chromium. */
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from '@playwright/test';
import { launchOptions, shellPath } from './support/browsers/chromium.ts';
import { limit } from './support/time-limits.ts';
import { wasmFlags } from './support/wasm-flags.ts';

// Each worker reads this file before it starts a service.
wasmFlags.forEach(setFlagsFromString);

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  globalSetup: pathOf('support/build-widget.setup.ts'),
  outputDir: pathOf('results'),
  reporter: [['list'], [pathOf('support/count-reporter.ts')]],
  workers: 2,
  // A test that failed runs once more, only for its trace: a trace of every test would double the time. It stays failed.
  retries: 1,
  failOnFlakyTests: true,
  fullyParallel: true,
  ...(process.env['IS_QUICK'] && { grepInvert: /@slow/ }),
  forbidOnly: Boolean(process.env['CI']),
  timeout: limit(60_000),
  snapshotPathTemplate: `${pathOf('e2e/pictures')}/{arg}{ext}`,
  use: {
    // Text in shades of gray looks the same on every machine.
    launchOptions: { ...launchOptions('--disable-lcd-text'), executablePath: shellPath() },
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    actionTimeout: limit(30_000),
    trace: 'on-first-retry',
  },
  projects: [
    {
      name: 'faults',
      testDir: pathOf('faults'),
      testIgnore: /engines\.test\.ts$/,
      timeout: limit(90_000),
      expect: { timeout: limit(25_000) },
    },
    {
      name: 'monkey',
      testDir: pathOf('monkey'),
      timeout: limit(120_000),
      // The failure prints its seed and its steps.
      retries: 0,
    },
    {
      name: 'e2e',
      testDir: pathOf('e2e'),
      timeout: limit(180_000),
      testIgnore: /engines\.test\.ts$/,
      expect: { timeout: limit(30_000) },
    },
    {
      name: 'engines',
      testDir: pathOf('.'),
      testMatch: /engines\.test\.ts$/,
      workers: 1,
      retries: 0,
      timeout: limit(180_000),
      expect: { timeout: limit(15_000) },
    },
  ],
});
