/** Fixtures of the tests of the script tag: its HTML, and a page with it. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';
import type { PageServer } from '../support/servers/built-widget.ts';

/** The optional first line of the script tag, which queues the calls that come before the script has loaded. */
export const queueStub = '<script>window.WorkspaceChat ??= (...a) => { (WorkspaceChat.q ??= []).push(a) }</script>';

interface Visit {
  page: Page;
  widget: Widget;
  server: PageServer;
  /** The console messages, as `type text`. */
  logged: string[];
}

interface VisitOptions {
  /** The headers of the page. */
  headers?: Record<string, string>;
  path?: string;
  /** The files of the widget, if not those of the shared build. */
  folder?: string;
  /** Console errors that the test expects. */
  allowedErrors?: RegExp[];
  context?: BrowserContextOptions;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => unknown;
}

interface EmbedFixtures {
  /** The `data-*` attributes that a script tag needs. */
  data: string;
  /** Returns the element with more attributes, and the script of its module. */
  element(attributes?: string): string;
  /** Returns a script tag with more attributes. */
  tag(more?: string): string;
  /** Opens a page whose body ends with `body`. */
  visit(body: string, options?: VisitOptions): Promise<Visit>;
}

export const it = base.extend<EmbedFixtures>({
  data: async ({ service }, use) => {
    const { baseUrl, publishableKey, agentId } = service.settings;
    await use(`data-base-url="${baseUrl}" data-publishable-key="${publishableKey}" data-agent-id="${agentId}"`);
  },
  tag: async ({ data }, use) => use((more = '') => `<script async src="/cdn/embed.js" ${data} ${more}></script>`),
  element: async ({ data }, use) => {
    const script = '<script type="module" src="/cdn/workspace-chat.js"></script>';
    await use((more = '') => `${script}<workspace-chat ${data.replaceAll('data-', '')} ${more}></workspace-chat>`);
  },
  visit: async ({ newPage, serve, cdnBuild, allowedErrors }, use) => {
    await use(async (body, { headers, path = '/', folder = cdnBuild.folder, context, prepare, ...options } = {}) => {
      allowedErrors.push(...(options.allowedErrors ?? []));
      const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body><p>Words</p>${body}</body></html>`;
      const pages = { '/': html, '/shop/mugs': html, '/checkout': html };
      const server = await serve(pages, { '/cdn/': folder }, headers);
      const page = await newPage(context);
      const logged: string[] = [];
      page.on('console', (message) => logged.push(`${message.type()} ${message.text()}`));
      await prepare?.(page);
      await page.goto(new URL(path, server.url).href);
      return { page, widget: new Widget(page), server, logged };
    });
  },
});

export { expect } from '../support/fixtures.ts';

/** A script that sets the language of the page. */
export const inLanguage = (lang: string): string => `<script>document.documentElement.lang = '${lang}'</script>`;

/** The launcher, whose presence shows that the embedded chat has loaded. */
export const launcherOf = (page: Page) => page.locator('workspace-chat .launcher');
