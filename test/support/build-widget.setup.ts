/** Builds the widget unless `WIDGET_FOLDER` names a build, and fills the demo's cache. The workers find the build by that name. */
import { launchBrowser } from './browsers/chromium.ts';
import { startDemo } from './pages/visit.ts';
import { buildStandalone, sharedCdn } from './servers/built-widget.ts';

const demoPages = ['', 'gallery.html', 'theming.html', 'team.html', 'webview.html', 'doctor.html', 'docs/'];

/** Vite reloads open pages when it bundles new dependencies. The demos of all workers share its cache. */
const fillDemoCache = async (): Promise<void> => {
  const [browser, demo] = await Promise.all([launchBrowser(), startDemo()]);
  const context = await browser.newContext();
  for (const path of demoPages) {
    const page = await context.newPage();
    await page.goto(demo.url + path, { waitUntil: 'networkidle' });
    await page.close();
  }
  await browser.close();
  await demo.close();
};

/** Playwright calls the returned function after the last test. */
export default async (): Promise<() => Promise<void>> => {
  const { folder, remove } = await sharedCdn();
  if (process.env['WIDGET_BUILD'] === 'standalone') await buildStandalone(folder);
  process.env['WIDGET_FOLDER'] = folder;
  if (process.env['HAS_DEMO']) await fillDemoCache();
  return remove;
};
