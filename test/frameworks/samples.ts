/** Uses the examples that are not a single page with a chat: interfaces of their own, tests of a page, and a site with two pages. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright';
import { chromiumPath } from '../support/browsers/chromium.ts';
import { collectErrors } from '../support/pages/console-errors.ts';
import { Widget } from '../support/pages/visit.ts';
import { freePort } from '../support/servers/listen.ts';

/** The built example on a server. */
interface Site {
  url: string;
  close(): Promise<void>;
}

interface Sample {
  /** The folder of the installed example. */
  folder: string;
  browser: Browser;
}

/** Sends a message in both interfaces, in plain DOM and in React. The second one restores what the first one has stored. */
const useClient = async (site: Site, { browser }: Sample): Promise<void> => {
  const context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(15_000);
  const errors: string[] = [];
  collectErrors(context, errors);
  try {
    const page = await context.newPage();
    for (const [index, path] of ['index.html', 'react.html'].entries()) {
      await page.goto(new URL(path, site.url).href);
      // Restored from the first page.
      if (index > 0) await page.locator('li.assistant').first().waitFor();
      await page.getByLabel('Message').fill('When are you open?');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('li.assistant:not(.live)').nth(index).waitFor();
      assert.equal(await page.locator('li.user').count(), index + 1);
      assert.equal(await page.getByRole('button', { name: 'Stop' }).isDisabled(), true);
    }
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
    await site.close();
  }
};

/** Opens the other page during a turn. The router keeps the element, its panel stays open, and the reply arrives there. */
const useAstro = async (site: Site, { browser }: Sample): Promise<void> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  context.setDefaultTimeout(15_000);
  const errors: string[] = [];
  collectErrors(context, errors);
  try {
    const page = await context.newPage();
    const widget = new Widget(page);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/tool-results$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(site.url);
    await widget.open();
    await page.getByRole('button', { name: 'Where is my order 4711?' }).click();
    await page.locator('#order', { hasText: '4711' }).waitFor();
    const chat = await page.locator('workspace-chat').elementHandle();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    const isKept = await chat.evaluate((element) => element === document.querySelector('workspace-chat'));
    assert(isKept, 'The router has replaced the chat.');
    await page.getByRole('dialog', { name: 'Ask us' }).waitFor();
    assert.equal(await page.locator('#answer').innerText(), '');
    release();
    await page.locator('#answer', { hasText: 'shipped' }).waitFor();
    await widget.completeReplies.first().waitFor();
    assert.deepEqual(errors, []);
  } finally {
    await context.close();
    await site.close();
  }
};

/** Runs the example's own tests: Vitest with jsdom and happy-dom, and Playwright. */
const useTesting = async (site: Site, { folder }: Sample): Promise<void> => {
  // Playwright serves the page itself.
  await site.close();
  const env = { ...process.env, CI: '1', PORT: String(await freePort()), CHROME_PATH: chromiumPath() };
  try {
    await promisify(execFile)('npm', ['test'], { cwd: folder, env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
};

/** Where an example is served that is not at the root of its host. */
export const basePaths: Record<string, string> = {
  nuxt: '/shop/',
  parcel: '/shop/',
  'react-router': '/shop/',
  solidstart: '/shop/',
  sveltekit: '/shop/',
};

/** How to use an example, by its name. Closes the site. */
export const samples: Record<string, (site: Site, sample: Sample) => Promise<void>> = {
  astro: useAstro,
  client: useClient,
  testing: useTesting,
};
