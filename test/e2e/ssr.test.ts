import type { Page } from '@playwright/test';
import { renderLauncher } from '../../src/entries/ssr.ts';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';
import { sharedBuild } from '../support/servers/build-server.ts';
import { limit } from '../support/time-limits.ts';

interface Visit {
  widget: Widget;
  /** Lets the page's script load. */
  start(): void;
}

const it = base.extend<{
  /** The folder of the page's script. */
  clientFolder: string;
  visit(options?: { placement?: 'start' | 'end'; locale?: string }): Promise<Visit>;
}>({
  clientFolder: [async ({}, use) => use(await sharedBuild('ssr')), { timeout: limit(60_000) }],
  visit: async ({ page, serve, service, clientFolder }, use) => {
    await use(async ({ placement = 'end', locale = 'en' } = {}) => {
      const launcher = renderLauncher({ nonce: 'n', placement, locale });
      const html = `<!doctype html><html lang="en"><title>Page</title>
        <script type="module" nonce="n" src="/client/client.js"></script>
        <workspace-chat ${attributesOf(service.settings)} placement="${placement}" locale="${locale}">${launcher}</workspace-chat>`;
      const policy = `default-src 'none'; script-src 'nonce-n' 'strict-dynamic'; style-src 'nonce-n'; connect-src ${service.url}; require-trusted-types-for 'script'; trusted-types lit-html`;
      const { url } = await serve({ '/': html }, { '/client/': clientFolder }, { 'content-security-policy': policy });
      let start = () => {};
      const isStarted = new Promise<void>((resolve) => (start = resolve));
      await page.route('**/client.js', async (route) => {
        await isStarted;
        await route.continue();
      });
      await page.goto(url, { waitUntil: 'commit' });
      return { widget: new Widget(page), start };
    });
  },
});

const placeholder = (page: Page) => page.locator('[data-workspace-chat-launcher] .launcher');
const elementLauncher = (page: Page) => page.locator('workspace-chat .launcher-box[popover] > .launcher');

/** Records in each frame whether there is a launcher at a point of the viewport. */
const watchPoint = ([x, y]: [number, number]) => {
  const frames: boolean[] = [];
  Object.assign(globalThis, { frames });
  requestAnimationFrame(function look() {
    frames.push(document.elementFromPoint(x, y)?.closest('workspace-chat') !== null);
    requestAnimationFrame(look);
  });
};

for (const options of [
  { placement: 'end', locale: 'en' },
  { placement: 'start', locale: 'ar' },
] as const)
  it(`a launcher from the server stands before the script and stays in its place in every frame (${options.locale})`, async ({
    visit,
    page,
  }) => {
    const { start, widget } = await visit(options);
    const before = (await placeholder(page).boundingBox())!;
    expect(before.width).toBeGreaterThan(40);
    await page.evaluate(watchPoint, [before.x + before.width / 2, before.y + before.height / 2] as [number, number]);
    start();
    await expect(elementLauncher(page)).toBeVisible();
    await expect(placeholder(page)).toHaveCount(0);
    expect(await elementLauncher(page).boundingBox()).toEqual(before);
    expect(await page.evaluate('frames.includes(false)')).toBe(false);
    await widget.open();
  });

it('a click on a launcher from the server opens the chat as soon as the script has run', async ({ visit, page }) => {
  const { start, widget } = await visit();
  await placeholder(page).click();
  await expect(page.getByRole('status')).toHaveText('Opening the chat…');
  start();
  await expect(widget.input).toBeFocused();
  await expect(placeholder(page)).toHaveCount(0);
});

it('focus stays on a launcher from the server when the script has run', async ({ visit, page }) => {
  const { start } = await visit();
  await placeholder(page).focus();
  start();
  await expect(elementLauncher(page)).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
