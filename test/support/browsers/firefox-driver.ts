/** Drives Firefox through WebDriver BiDi, with Puppeteer. */
import { launch, type ElementHandle } from 'puppeteer-core';
import { locate, namedKeys, type Driver, type Target } from './driver.ts';
import { limit } from '../time-limits.ts';
import { firefoxPath, firefoxPreferences } from './firefox.ts';

/** Returns null when there is no Firefox and none can be installed. */
export const openFirefox = async (): Promise<Driver | null> => {
  const executablePath = firefoxPath();
  if (!executablePath) return null;
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: firefoxPreferences,
    timeout: limit(120_000),
  });
  return {
    async openTab() {
      const page = await browser.newPage();
      const find = async (target: Target): Promise<ElementHandle> => {
        const handle = await page.waitForFunction(locate(target), { timeout: limit(60_000), polling: 100 });
        return handle.asElement() as ElementHandle;
      };
      return {
        goto: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        click: async (target) => (await find(target)).click(),
        async type(target, text) {
          await (await find(target)).focus();
          for (const key of text) await page.keyboard.press((namedKeys[key] ?? key) as 'a');
        },
        // A library of the page may have replaced Promise. Only the promise of an async function is awaited for certain.
        evaluate: <Value>(expression: string) => page.evaluate(`(async () => (${expression}))()`) as Promise<Value>,
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
};
