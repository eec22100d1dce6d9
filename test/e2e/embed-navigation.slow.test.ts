import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { packagesOf } from '../support/packages-of.ts';
import { bundleReact, type ReactBundle } from '../support/servers/react-bundle.ts';
import { Widget } from '../support/pages/visit.ts';
import { limit } from '../support/time-limits.ts';
import { expect, it as base, launcherOf } from './embed-fixtures.ts';

const libraries = {
  '/turbo/': join(packagesOf('frameworks'), '@hotwired/turbo/dist'),
  '/htmx/': join(packagesOf('frameworks'), 'htmx.org/dist'),
};

const it = base.extend<
  {
    /** Opens the first of two pages that a library connects. Both contain the script tag. */
    openSite(head: string, bodyAttributes?: string): Promise<{ page: Page; widget: Widget; warnings: string[] }>;
  },
  { react: ReactBundle }
>({
  react: [
    async ({}, use) => {
      const bundle = await bundleReact(19);
      await use(bundle);
      await bundle.remove();
    },
    { scope: 'worker', timeout: limit(60_000) },
  ],
  openSite: async ({ newPage, serve, cdnBuild, react, tag }, use) => {
    await use(async (head, bodyAttributes = '') => {
      const htmlOf = (name: string, other: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
        <title>${name}</title>${head}</head><body ${bodyAttributes}><h1>${name}</h1><a href="${other}">Next</a>${tag()}</body></html>`;
      const { url } = await serve(
        { '/': htmlOf('One', '/two'), '/two': htmlOf('Two', '/') },
        { '/cdn/': cdnBuild.folder, '/react/': react.folder, ...libraries },
      );
      const page = await newPage();
      const warnings: string[] = [];
      page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
      await page.goto(url);
      await page.evaluate('window.isSamePage = true');
      return { page, widget: new Widget(page), warnings };
    });
  },
});

const turbo = '<script type="module" src="/turbo/turbo.es2017-esm.js"></script>';

/** What replaces the content of the page, and how often it can be repeated. */
interface Navigation {
  head?: string;
  body?: string;
  /** Whether the visitor leaves the chat for a link of the page, which is gone then. */
  leavesChat?: boolean;
  go(page: Page, to: string): Promise<void>;
}

const navigations: Record<string, Navigation> = {
  'a visit with Turbo': {
    head: turbo,
    leavesChat: true,
    go: (page) => page.getByRole('link', { name: 'Next' }).click(),
  },
  'a visit with Turbo that morphs': {
    head: `${turbo}<meta name="turbo-refresh-method" content="morph">`,
    go: (page, to) =>
      page.evaluate(
        (path) =>
          (window as unknown as { Turbo: { visit(url: string, o: object): void } }).Turbo.visit(path, {
            action: 'replace',
          }),
        to,
      ),
  },
  'a boosted link of htmx': {
    head: '<script src="/htmx/htmx.min.js"></script>',
    body: 'hx-boost="true"',
    leavesChat: true,
    go: (page) => page.getByRole('link', { name: 'Next' }).click(),
  },
  'an assignment to body.innerHTML': {
    go: (page, to) =>
      page.evaluate((path) => {
        document.body.innerHTML = `<h1>${path === '/' ? 'One' : 'Two'}</h1>`;
      }, to),
  },
  'a new body element': {
    go: (page, to) =>
      page.evaluate((path) => {
        const body = document.createElement('body');
        body.innerHTML = `<h1>${path === '/' ? 'One' : 'Two'}</h1>`;
        document.body.replaceWith(body);
      }, to),
  },
  'a new html element': {
    go: (page, to) =>
      page.evaluate((path) => {
        const { documentElement } = document.implementation.createHTMLDocument();
        document.replaceChild(documentElement, document.documentElement);
        document.body.innerHTML = `<h1>${path === '/' ? 'One' : 'Two'}</h1>`;
      }, to),
  },
  'a new root of React 19 on the body': {
    head: '<script type="module" src="/react/body.js"></script>',
    go: (page, to) =>
      page.evaluate(
        (name) => (window as unknown as { renderPage(name: string): void }).renderPage(name),
        to === '/' ? 'One' : 'Two',
      ),
  },
};

it.describe('navigation without a new page', () => {
  for (const [name, { head = '', body, leavesChat = false, go }] of Object.entries(navigations))
    it(`the chat, its open panel, its focus and a running reply survive ${name}`, async ({ openSite }) => {
      const { page, widget, warnings } = await openSite(head, body);
      await widget.open();
      await widget.input.fill('When are you open on Friday?');
      await widget.input.press('Enter');
      await expect(widget.replies.first()).toBeVisible();
      await expect(widget.input).toBeFocused();
      for (const to of ['/two', '/', '/two']) {
        await go(page, to);
        await expect(page.getByRole('heading', { level: 1, name: to === '/' ? 'One' : 'Two' })).toBeVisible();
        await expect(page.locator('workspace-chat')).toHaveCount(1);
        await expect(widget.input).toBeVisible();
        if (leavesChat) await expect(widget.input).not.toBeFocused();
        else await expect(widget.input).toBeFocused();
      }
      await widget.waitUntilIdle();
      await expect(widget.completeReplies.first()).toContainText('16:00');
      await expect(widget.replies).toHaveCount(1);
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      expect(warnings).toEqual([]);
    });

  it('the page that Turbo restores from its cache has one chat, with its transcript', async ({ openSite }) => {
    const { page, widget } = await openSite(turbo);
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Two' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: 'One' })).toBeVisible();
    await expect(page.locator('workspace-chat')).toHaveCount(1);
    await expect(widget.completeReplies.first()).toBeVisible();
    expect(await widget.ask('Do you ship to Dubai?')).toMatch(/parcel/);
  });

  it('the chat gives up when another script removes it again and again, and destroy() removes it for good', async ({
    openSite,
  }) => {
    const { page } = await openSite('');
    await expect(launcherOf(page)).toBeVisible();
    await page.evaluate(`WorkspaceChat('destroy')`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`document.body.append('more')`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`WorkspaceChat('configure', {})`);
    await expect(launcherOf(page)).toBeVisible();
    const count = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let removals = 0;
          const remove = () => {
            const chat = document.querySelector('workspace-chat');
            if (chat) {
              removals++;
              chat.remove();
            }
          };
          new MutationObserver(remove).observe(document.body, { childList: true });
          remove();
          requestIdleCallback(() => resolve(removals));
        }),
    );
    expect(count).toBe(11);
  });
});
