import { access, readdir } from 'node:fs/promises';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

/** The paths of all pages: one for each Markdown file, and the API reference. */
const listPaths = async (): Promise<string[]> => {
  const files = (await readdir('docs')).filter((file) => file.endsWith('.md'));
  return [...files.map((file) => (file === 'README.md' ? '' : file.replace(/md$/, 'html'))), 'api.html'].sort();
};

it.describe('the docs', () => {
  it('the contents list one page for every Markdown file and one for the API reference', async ({ page, demo }) => {
    await page.goto(`${demo.url}docs`);
    expect(page.url()).toBe(`${demo.url}docs/`);
    const listed = await page
      .locator('.pages a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    expect(listed.map((href) => href.replace('./', '')).sort()).toEqual(await listPaths());
  });

  it('every link of the docs leads to an existing page and section', async ({ page, demo }) => {
    const wanted = new Set<string>();
    const present = new Set<string>();
    for (const path of await listPaths()) {
      const url = `${demo.url}docs/${path}`;
      const response = await page.goto(url);
      expect(response?.status(), path).toBe(200);
      const { ids, links } = await page.evaluate(() => ({
        ids: Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
        links: Array.from(document.querySelectorAll('a'), ({ href }) => href),
      }));
      expect(new Set(ids).size, `${path} has an id twice`).toBe(ids.length);
      present.add(url);
      for (const id of ids) present.add(`${url}#${id}`);
      for (const link of links) if (link.startsWith(demo.url)) wanted.add(decodeURI(link));
    }
    const inDocs = [...wanted].filter((url) => url.startsWith(`${demo.url}docs/`));
    expect(inDocs.filter((url) => !present.has(url))).toEqual([]);
    for (const url of wanted) {
      if (inDocs.includes(url)) continue;
      // The development server responds with the shop to unknown paths.
      const { pathname } = new URL(url);
      await access(`demo${pathname.replace(/\/$/, '/index.html')}`);
    }
    // A page that does not exist must not look like one.
    expect((await fetch(`${demo.url}docs/no-such-page.html`)).status).toBe(404);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      it(`the docs have no axe violation and no overflow: ${colorScheme}, ${width} px`, async ({ newPage, demo }) => {
        const page = await newPage({ colorScheme, viewport: { width, height: 800 } });
        for (const path of await listPaths()) {
          await page.goto(`${demo.url}docs/${path}`);
          await expect(page.locator('#content')).toBeVisible();
          expect(await accessibilityViolations(page, 'body'), path).toEqual([]);
          await poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
        }
      });
    }
  }

  it('code can be copied, the dark scheme persists, and the contents fold on a narrow screen', async ({
    newPage,
    demo,
  }) => {
    const page = await newPage({
      colorScheme: 'light',
      viewport: { width: 360, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${demo.url}docs/theming.html`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/--workspace-chat-accent: #/);
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Light' })).toBeVisible();
    await poll(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
    await expect(page.getByRole('link', { name: 'Blocks', exact: true })).toBeHidden();
    await page.getByText('Contents').click();
    await page.locator('.pages').getByRole('link', { name: 'Blocks', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Blocks' })).toBeVisible();
  });
});
