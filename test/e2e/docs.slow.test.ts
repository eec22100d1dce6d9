import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';
import { serveFolder } from '../support/servers/serve-folder.ts';
import { limit } from '../support/time-limits.ts';

const folder = 'docs/.vitepress/dist';
/** A path of its own, with which each link that forgets it leads nowhere. */
const base = '/help/';
let site: Awaited<ReturnType<typeof serveFolder>>;
let files: string[];
let paths: string[];

/** Opens a page of the site, and waits until its script has run. The other pages are complete when they are loaded. */
const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${site.url}${path}`);
  if (/(?:installer|theme-studio|gallery)\.html$/.test(path)) return;
  await page.waitForFunction(`document.querySelector('#app')?.__vue_app__`);
};

// One worker runs all tests, because each one would build the site.
it.describe.configure({ mode: 'default' });

it.describe('the site of the docs', () => {
  it.beforeAll(async () => {
    it.setTimeout(limit(600_000));
    await promisify(execFile)('npm', ['run', 'docs:build'], { env: { ...process.env, DOCS_BASE: base } });
    site = await serveFolder(folder, base);
    files = await readdir(folder, { recursive: true });
    paths = files
      .filter((file) => file.endsWith('.html') && file !== '404.html')
      .map((file) => file.replaceAll('\\', '/').replace(/index\.html$/, ''))
      .sort();
  });
  it.afterAll(() => site.close());

  it('every link leads to an existing page and section, and no page requests another host', async ({ newPage }) => {
    const page = await newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    const { origin } = new URL(site.url);
    const wanted = new Set<string>();
    const present = new Set(files.map((file) => `${site.url}${file}`));
    expect(paths.length).toBeGreaterThan(40);
    for (const path of paths) {
      await visit(page, path);
      const { ids, links } = await page.evaluate(() => ({
        ids: Array.from(document.querySelectorAll('[id]'), ({ id }) => id),
        links: Array.from(document.querySelectorAll('a[href]'), (link) => (link as HTMLAnchorElement).href),
      }));
      const url = `${site.url}${path}`;
      for (const each of [url, ...ids.map((id) => `${url}#${id}`)]) present.add(each);
      for (const link of links) if (new URL(link).origin === origin) wanted.add(decodeURI(link));
    }
    expect([...wanted].filter((url) => !present.has(url))).toEqual([]);
    // The gallery shows a product whose picture does not exist.
    hosts.delete('images.example');
    expect([...hosts]).toEqual([new URL(site.url).host]);
  });

  it('every page has a title and a description for search engines', async ({ newPage }) => {
    const page = await newPage({ javaScriptEnabled: false });
    const titles = new Set<string>();
    for (const path of paths) {
      await page.goto(`${site.url}${path}`);
      titles.add(await page.title());
      const description = await page.locator('meta[name=description]').getAttribute('content');
      expect(description?.length, path).toBeGreaterThan(40);
    }
    expect(titles.size).toBe(paths.length);
  });

  it('the lists for language models name existing files', async () => {
    const text = await readFile(`${folder}/llms.txt`, 'utf8');
    const files = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!.slice(base.length));
    expect(files.length).toBeGreaterThan(30);
    // An assistant should describe the same road as the page for site owners.
    const owner = await readFile(`${folder}/start-site-owner.md`, 'utf8');
    for (const name of ['workspace-chat-<version>.zip', 'installer.html', /<script[^]*?<\/script>/.exec(owner)![0]]) {
      expect(owner).toContain(name);
      expect(text).toContain(name);
    }
    const full = await readFile(`${folder}/llms-full.txt`, 'utf8');
    for (const file of files) {
      // The front matter is for the search of the site.
      const page = (await readFile(`${folder}/${file}`, 'utf8')).replace(/^---\n[^]*?\n---\n/, '');
      expect(full).toContain(page.trim());
    }
    const linked = [...full.matchAll(/\]\((\/[^)#\s]*)/g)].map(([, path]) => path!.slice(base.length));
    expect(linked.length).toBeGreaterThan(100);
    expect(linked.filter((file) => !existsSync(`${folder}/${file}`))).toEqual([]);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      it(`no page has an axe violation or overflows: ${colorScheme}, ${width} px`, async ({ newPage }) => {
        it.setTimeout(limit(600_000));
        const page = await newPage({ colorScheme, viewport: { width, height: 800 } });
        for (const path of paths) {
          await visit(page, path);
          // The gallery has the same chat a hundred times: the best practice of unique names is for a page with one.
          const selector = path === 'gallery.html' ? undefined : 'body';
          expect(await accessibilityViolations(page, selector), path).toEqual([]);
          await poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path).toBe(true);
        }
      });
    }
  }

  it('the search finds pages of the language of the page', async ({ newPage }) => {
    const page = await newPage();
    for (const [path, button, text, result] of [
      ['theming.html', 'Search', 'rotate secret', 'host.html'],
      ['ar/start-site-owner.html', 'بحث', 'المفتاح', '/ar/'],
    ] as const) {
      await visit(page, path);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('searchbox').fill(text);
      await expect(page.locator('.VPLocalSearchBox a.result').first()).toHaveAttribute('href', new RegExp(result));
      await page.keyboard.press('Escape');
    }
  });

  it('a live example runs the code again when the reader edits it', async ({ newPage }) => {
    const page = await newPage();
    await visit(page, 'theming.html');
    const example = page.locator('[data-example=theming]').first();
    await expect(example.getByRole('button', { name: 'Run the example' })).toBeVisible();
    await example.hover();
    const bubble = example.frameLocator('iframe').locator('[part~=message-visitor] [part~=bubble]');
    await expect(bubble).toHaveCSS('background-color', 'rgb(11, 110, 79)');
    const editor = example.getByRole('textbox', { name: 'Edit the code' });
    await editor.fill('workspace-chat { --workspace-chat-accent: #aa0000; }');
    await expect(bubble).toHaveCSS('background-color', 'rgb(170, 0, 0)');
    await example.getByRole('button', { name: 'Reset' }).click();
    await expect(bubble).toHaveCSS('background-color', 'rgb(11, 110, 79)');
    await expect(editor).toContainText('#0b6e4f');
  });

  it('code can be copied, the version leads to the changelog, and the dark scheme persists', async ({ newPage }) => {
    const page = await newPage({ colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'] });
    await visit(page, 'script-tag.html');
    await page.locator('.vp-doc div[class*=language-]').first().hover();
    await page.getByRole('button', { name: 'Copy Code' }).first().click();
    await poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('window.WorkspaceChat ??=');
    await page.getByRole('switch').first().click();
    await page.reload();
    await expect(page.locator('html')).toHaveClass(/dark/);
    await page
      .getByRole('link', { name: /^v\d+\.\d+\.\d+$/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Changelog' })).toBeVisible();
  });
});
