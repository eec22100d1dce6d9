/** Fixtures of the tests of the webview's page: the page in a fake app on a phone. */
import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { App, type TransportName } from '../support/pages/app.ts';
import { Widget } from '../support/pages/visit.ts';

export const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

interface AppOptions {
  transport?: TransportName | null;
  /** Injected before the page's script; null for none. */
  configuration?: object | null;
  fragment?: string;
  url?: string;
  allowedErrors?: RegExp[];
  context?: BrowserContextOptions;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  respondsToStorage?: boolean;
}

interface WebviewFixtures {
  /** The address and the keys of the service. */
  connection: { baseUrl: string; publishableKey: string; agentId: string };
  webviewUrl: string;
  /** Opens the page in a fake app. The test fails when the page violates its Content Security Policy. */
  openApp(options?: AppOptions): Promise<{ page: Page; app: App; widget: Widget }>;
}

/** The fragment of the page's URL that holds its configuration. */
export const fragmentOf = (configuration: object): string =>
  `#workspaceChatConfig=${encodeURIComponent(JSON.stringify(configuration))}`;

export const it = base.extend<WebviewFixtures>({
  connection: async ({ demo }, use) => {
    const { baseUrl, publishableKey, agentId } = demo.config;
    await use({ baseUrl, publishableKey, agentId });
  },
  webviewUrl: async ({ serve, webviewBuild }, use) => {
    const { url } = await serve({}, { '/': `${webviewBuild.folder}/` });
    await use(`${url}/webview.html`);
  },
  openApp: async ({ newPage, connection, webviewUrl, allowedErrors }, use) => {
    const apps: App[] = [];
    await use(async (options = {}) => {
      const { transport = 'webkit', configuration = connection, fragment = '' } = options;
      allowedErrors.push(...(options.allowedErrors ?? []));
      const page = await newPage({ ...phone, ...options.context });
      const app = new App(page);
      apps.push(app);
      app.respondsToStorage = options.respondsToStorage ?? true;
      await options.prepare?.(page);
      await app.install(transport, configuration ?? undefined);
      await page.goto(options.url ?? webviewUrl + fragment);
      return { page, app, widget: new Widget(page) };
    });
    for (const { violations } of apps) expect(violations, 'policy violations').toEqual([]);
  },
});

export { expect };
