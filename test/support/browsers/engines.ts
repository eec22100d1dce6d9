/** The drivers of all browser engines. Playwright drives Chromium. */
import type { ElementHandle } from 'playwright';
import { poll } from '../poll.ts';
import { launchBrowser } from './chromium.ts';
import { locate, namedKeys, type Driver, type Target } from './driver.ts';
import { openFirefox } from './firefox-driver.ts';
import { openWebKit } from './webkit-driver.ts';

const openChromium = async (): Promise<Driver> => {
  const browser = await launchBrowser();
  const context = await browser.newContext();
  return {
    async openTab() {
      const page = await context.newPage();
      const find = async (target: Target) => {
        let found: ElementHandle | null = null;
        // `waitForFunction` evaluates the text in the page at its second attempt, which a strict policy forbids.
        await poll(async () => {
          const handle = await page.evaluateHandle<HTMLElement | SVGElement | null>(locate(target));
          found = handle.asElement();
          return found;
        }).not.toBeNull();
        return found!;
      };
      return {
        goto: async (url) => void (await page.goto(url)),
        reload: async () => void (await page.reload()),
        click: async (target) => (await find(target)).click(),
        async type(target, text) {
          await (await find(target)).focus();
          for (const key of text) {
            const named = namedKeys[key];
            // `press` knows the keys of an American keyboard only.
            await (named ? page.keyboard.press(named) : page.keyboard.type(key));
          }
        },
        evaluate: (expression) => page.evaluate(expression),
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
};

export type Engine = 'Chromium' | 'Firefox' | 'WebKitGTK';

/** Starts a browser. Returns null when it is neither installed nor can be installed. */
export const engines: Record<Engine, () => Promise<Driver | null>> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKitGTK: openWebKit,
};
