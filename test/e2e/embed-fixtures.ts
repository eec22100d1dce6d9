/** Fixtures of the tests of the script tag: its HTML, and a page with it. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { attributesOf, it as base, type TestService } from '../support/fixtures.ts';
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
  /** The URLs of all requests. */
  requested: string[];
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
  data: async ({ service }, use) => use(attributesOf(service.settings, 'data-')),
  tag: async ({ data }, use) => use((more = '') => `<script async src="/cdn/embed.js" ${data} ${more}></script>`),
  element: async ({ service }, use) => {
    const script = '<script type="module" src="/cdn/workspace-chat.js"></script>';
    const attributes = attributesOf(service.settings);
    await use((more = '') => `${script}<workspace-chat ${attributes} ${more}></workspace-chat>`);
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
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      await prepare?.(page);
      await page.goto(new URL(path, server.url).href);
      return { page, widget: new Widget(page), server, logged, requested };
    });
  },
});

export { expect } from '../support/fixtures.ts';

/** A page with the script tag, for settings that may be wrong. The tag has the nonce `n`. */
export const pageWithTag = (settings: TestService['settings']): string =>
  `<!doctype html><html lang="en"><title>Page</title><body><p>Words</p><script nonce="n" async src="/cdn/embed.js" ${attributesOf(settings, 'data-')}></script></body></html>`;

/** A script that sets the language of the page. */
export const inLanguage = (lang: string): string => `<script>document.documentElement.lang = '${lang}'</script>`;

/** The launcher, whose presence shows that the embedded chat has loaded. */
export const launcherOf = (page: Page) => page.locator('workspace-chat .launcher');
