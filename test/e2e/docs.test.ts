import assert from 'node:assert/strict';
import { access, readdir } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { findings } from '../support/pages/axe.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo } from '../support/pages/visit.ts';

describe('the docs', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let paths: string[];

  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo({ chunkDelay: 1 })]);
    const files = (await readdir('docs')).filter((file) => file.endsWith('.md'));
    paths = [...files.map((file) => (file === 'README.md' ? '' : file.replace(/md$/, 'html'))), 'api.html'].sort();
  });

  after(async () => {
    await browser?.close();
    await demo?.close();
  });

  it('are a page for every Markdown file and one for the reference, all in the contents', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    await page.goto(`${demo.url}docs`);
    assert.equal(page.url(), `${demo.url}docs/`);
    const listed = await page
      .locator('.pages a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    assert.deepEqual(listed.map((href) => href.replace('./', '')).sort(), paths);
    await context.close();
  });

  it('have no link that leads nowhere', async () => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const wanted = new Set<string>();
    const present = new Set<string>();
    for (const path of paths) {
      const url = `${demo.url}docs/${path}`;
      const response = await page.goto(url);
      assert.equal(response?.status(), 200, path);
      const { ids, links } = await page.evaluate(() => ({
        ids: Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
        links: Array.from(document.querySelectorAll('a'), ({ href }) => href),
      }));
      assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`);
      present.add(url);
      for (const id of ids) present.add(`${url}#${id}`);
      for (const link of links) if (link.startsWith(demo.url)) wanted.add(decodeURI(link));
    }
    const inDocs = [...wanted].filter((url) => url.startsWith(`${demo.url}docs/`));
    assert.deepEqual(
      inDocs.filter((url) => !present.has(url)),
      [],
    );
    for (const url of wanted) {
      if (inDocs.includes(url)) continue;
      // The development server answers with the shop for what it does not have.
      const { pathname } = new URL(url);
      await access(`demo${pathname.replace(/\/$/, '/index.html')}`);
    }
    // A page that does not exist must not look like one.
    assert.equal((await fetch(`${demo.url}docs/no-such-page.html`)).status, 404);
    await context.close();
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      it(`axe finds nothing, and nothing overflows: ${colorScheme}, ${width} px`, async () => {
        const context = await newVisitor(browser, { colorScheme, viewport: { width, height: 800 } });
        const page = await context.newPage();
        for (const path of paths) {
          await page.goto(`${demo.url}docs/${path}`);
          await page.locator('#content').waitFor();
          assert.deepEqual(await findings(page, 'body'), [], path);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, path);
        }
        expectNoComplaints(context);
        await context.close();
      });
    }
  }

  it('can be copied from, turned dark for good, and folded on a narrow screen', async () => {
    const context = await newVisitor(browser, {
      colorScheme: 'light',
      viewport: { width: 360, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await page.goto(`${demo.url}docs/theming.html`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /--workspace-chat-accent: #/);
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Light' }).waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark');
    assert.equal(await page.getByRole('link', { name: 'Blocks', exact: true }).isVisible(), false);
    await page.getByText('Contents').click();
    await page.locator('.pages').getByRole('link', { name: 'Blocks', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Blocks' }).waitFor();
    await context.close();
  });
});
