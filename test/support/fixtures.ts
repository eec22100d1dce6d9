/** Fixtures of the end-to-end tests: the demo, the service, the builds of the widget, and pages that must log no error. */
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { createService, type Service } from '../../service/service.ts';
import { startDemo, Widget, type TestDemo } from './pages/visit.ts';
import { launchBrowser } from './browsers/chromium.ts';
import { collectErrors } from './pages/console-errors.ts';
import { sharedBuild } from './servers/build-server.ts';
import { limit } from './time-limits.ts';
import { servePages, sharedCdn, type Built, type PageServer } from './servers/built-widget.ts';

/** The local service, listening on a port of its own. */
export interface TestService {
  url: string;
  baseUrl: string;
  /** The keys and agents of the demo workspace. */
  demo: Service['demo'];
  /** What an element needs to call this service. */
  settings: { baseUrl: string; publishableKey: string; agentId: string };
  moveClock(milliseconds: number): void;
  /** Sets the milliseconds between the chunks of the next replies. */
  setChunkDelay(milliseconds: number): void;
}

/** A build of the widget that all tests share. */
interface SharedBuild {
  folder: string;
}

interface TestFixtures {
  /** Milliseconds between the chunks of the replies of the demo and of the service. */
  chunkDelay: number;
  demo: TestDemo;
  service: TestService;
  /** Console errors that match one of these patterns do not fail the test. */
  allowedErrors: RegExp[];
  /** Opens a page in a new browser context. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  widget: Widget;
  /** Serves pages and folders until the test has ended. */
  serve: typeof servePages;
  /** The same widget in files with other names and other content. */
  secondBuild: SharedBuild;
  /** The widget in one file. */
  standaloneBuild: SharedBuild;
  /** The page for webviews. */
  webviewBuild: SharedBuild;
}

/** A file with other worker fixtures would run in other workers, which start all of these again. */
interface WorkerFixtures {
  demoServer: TestDemo;
  serviceServer: TestService;
  /** The build that `npm run build` makes for script tags. */
  cdnBuild: Built;
  /** A browser in which every host name below `.example` is this machine. */
  browserWithNames: Browser;
}

/** The attributes that an element needs to call a service, or with the prefix `data-`, those of a script tag. */
export const attributesOf = ({ baseUrl, publishableKey, agentId }: TestService['settings'], prefix = ''): string =>
  `${prefix}base-url="${baseUrl}" ${prefix}publishable-key="${publishableKey}" ${prefix}agent-id="${agentId}"`;

/** The service limits the calls of an address in a minute, and all tests call from the same address. */
const minute = 60_000;

export const it = base.extend<TestFixtures & { consoleErrors: string[] }, WorkerFixtures>({
  chunkDelay: [5, { option: true }],
  demoServer: [
    async ({}, use) => {
      const demo = await startDemo();
      await use(demo);
      await demo.close();
    },
    { scope: 'worker' },
  ],
  serviceServer: [
    async ({}, use) => {
      let offset = 0;
      let delay = 5;
      const service = await createService({ chunkDelay: () => delay, now: () => Date.now() + offset });
      const api = await service.listen();
      const { url, baseUrl } = api;
      const { agentId, publishableKey } = service.demo;
      const moveClock = (milliseconds: number): void => void (offset += milliseconds);
      const setChunkDelay = (milliseconds: number): void => void (delay = milliseconds);
      const settings = { baseUrl, publishableKey, agentId };
      await use({ url, baseUrl, demo: service.demo, settings, moveClock, setChunkDelay });
      await service.close();
    },
    { scope: 'worker' },
  ],
  cdnBuild: [
    async ({}, use) => {
      const built = await sharedCdn();
      await use(built);
      await built.remove();
    },
    { scope: 'worker' },
  ],
  browserWithNames: [
    async ({}, use) => {
      const browser = await launchBrowser('--host-resolver-rules=MAP *.example 127.0.0.1');
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],

  demo: async ({ demoServer, chunkDelay }, use) => {
    demoServer.moveClock(minute);
    demoServer.setChunkDelay(chunkDelay);
    await use(demoServer);
  },
  service: async ({ serviceServer, chunkDelay }, use) => {
    serviceServer.moveClock(minute);
    serviceServer.setChunkDelay(chunkDelay);
    await use(serviceServer);
  },
  allowedErrors: async ({}, use) => use([]),
  consoleErrors: [
    async ({ allowedErrors }, use, { errors: testErrors }) => {
      const logged: string[] = [];
      await use(logged);
      // The error that ended the test is the cause.
      if (testErrors.length > 0) return;
      const unexpected = logged.filter((text) => !allowedErrors.some((pattern) => pattern.test(text)));
      expect(unexpected, 'console errors').toEqual([]);
    },
    { auto: true },
  ],
  // The pages are closed before the servers, since `serve` is set up first.
  context: async ({ serve: _serve, context, consoleErrors }, use) => {
    collectErrors(context, consoleErrors);
    await use(context);
  },
  newPage: async ({ serve: _serve, browser, consoleErrors }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      collectErrors(context, consoleErrors);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  widget: async ({ page }, use) => use(new Widget(page)),
  serve: async ({}, use) => {
    const servers: PageServer[] = [];
    await use(async (...args) => {
      const server = await servePages(...args);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.close();
  },
  secondBuild: [async ({}, use) => use({ folder: await sharedBuild('second') }), { timeout: limit(60_000) }],
  standaloneBuild: [async ({}, use) => use({ folder: await sharedBuild('standalone') }), { timeout: limit(60_000) }],
  webviewBuild: [async ({}, use) => use({ folder: await sharedBuild('webview') }), { timeout: limit(60_000) }],
});

export { expect };
