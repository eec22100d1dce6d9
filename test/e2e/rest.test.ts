/** At rest nothing of the widget runs, in each of its builds and in a page that is hidden or restored. */
import { mergeTests, type Page } from '@playwright/test';
import { countActivity, describeActivity, type Activity } from '../support/pages/activity.ts';
import { Widget } from '../support/pages/visit.ts';
import { expect, it as embedIt } from './embed-fixtures.ts';
import { it as webviewIt } from './webview-fixtures.ts';

const it = mergeTests(embedIt, webviewIt);

/** Milliseconds until a page has settled, and for which it is watched. */
const settling = 3_000;
const watched = 5_000;

const count = (page: Page) => page.addInitScript(`window.activity = (${countActivity.toString()})()`);

/** Returns what ran in a page while nobody used it. */
const activityOf = async (page: Page): Promise<string> => {
  await page.waitForTimeout(settling);
  await page.evaluate('activity.length = 0');
  await page.waitForTimeout(watched);
  return describeActivity(await page.evaluate<Activity[]>('activity'));
};

const openAndClose = async (widget: Widget): Promise<void> => {
  await widget.open();
  await widget.launcher.click();
  await expect(widget.input).toBeHidden();
};

const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });

/** As when the page enters the back/forward cache and is shown again. Browsers with DevTools do not cache pages. */
const cacheAndRestore = (page: Page) =>
  page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });

const states: Record<string, (widget: Widget) => Promise<unknown>> = {
  'with a closed chat': ({ launcher }) => expect(launcher).toBeVisible(),
  'with a chat that was open': openAndClose,
  'with an open chat in a hidden tab': async (widget) => {
    await widget.open();
    await widget.ask('When are you open on Friday?');
    await hide(widget.page);
  },
  'with an open chat after the back/forward cache': async (widget) => {
    await widget.open();
    await widget.ask('When are you open on Friday?');
    await cacheAndRestore(widget.page);
    await expect(widget.replies).toHaveCount(1);
  },
};

it('at rest nothing runs on a page with the script tag or the standalone script, in any state, nor in the webview, and a loop is found out', async ({
  visit,
  tag,
  data,
  standaloneBuild,
  openApp,
}) => {
  const pages: Record<string, Page> = {};
  for (const [state, enter] of Object.entries(states)) {
    const { page, widget } = await visit(tag(), { prepare: count });
    await enter(widget);
    pages[state] = page;
  }
  const script = `<script src="/cdn/standalone.js" ${data}></script>`;
  const standalone = await visit(script, { prepare: count, folder: standaloneBuild.folder });
  await openAndClose(standalone.widget);
  pages['with the standalone script'] = standalone.page;
  const { page: webview, app, widget } = await openApp({ prepare: count });
  await expect(widget.input).toBeVisible();
  await app.take('ready', ({ configured }) => configured === true);
  pages['in the webview'] = webview;
  const loop = '<script>const frame = () => requestAnimationFrame(frame); frame();</script>';
  const { page: looping } = await visit(tag() + loop, { prepare: count });
  // The pages are watched at the same time.
  const [found, ...activities] = await Promise.all([looping, ...Object.values(pages)].map(activityOf));
  expect(found).toMatch(/× requestAnimationFrame/);
  for (const [index, state] of Object.keys(pages).entries()) expect.soft(activities[index], state).toBe('');
  expect(app.messages).toEqual([]);
});
