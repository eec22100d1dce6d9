/** Defines fault tests: what goes wrong, what the visitor sees of it, and the test that proves that in a browser. */
import { expect, test as base } from '@playwright/test';
import { HostileServer } from '../servers/hostile-server.ts';
import { serveSite, type Site } from '../servers/site.ts';
import { FaultPage, type PageOptions } from './fault-page.ts';
import type { PortablePage } from './portable-page.ts';

interface FaultDescription {
  name: string;
  /** What goes wrong, in one or two sentences. */
  cause: string;
  /** What the visitor sees of it. */
  outcome: string;
  page?: PageOptions;
  /** Console errors that the test expects. Failed requests, which the browser logs by itself, are always allowed. */
  allowedErrors?: RegExp;
}

export interface Fault extends FaultDescription {
  run(page: FaultPage, server: HostileServer): Promise<void>;
}

/** A fault whose test runs in every browser engine. */
export interface PortableFault extends FaultDescription {
  needs?: undefined;
  run(page: PortablePage, server: HostileServer): Promise<void>;
}

/** A fault whose test runs in every browser engine, unless it needs what only Playwright can do. */
export type EngineFault = PortableFault | (Fault & { needs: string });

export interface FaultGroup<AnyFault extends Fault = Fault> {
  title: string;
  faults: AnyFault[];
  /** Prepares what the group needs in addition to the hostile server. Returns a function that removes it. */
  setUp?(): Promise<() => Promise<void>>;
}

interface WorkerFixtures {
  hostileServer: HostileServer;
  site: Site;
}

const it = base.extend<{ openPage: (options: PageOptions) => Promise<FaultPage> }, WorkerFixtures>({
  hostileServer: [
    async ({}, use) => {
      const server = new HostileServer();
      await server.listen();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ hostileServer }, use) => {
      const site = await serveSite(() => pageHtml(hostileServer.baseUrl));
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  openPage: async ({ browser, hostileServer, site }, use) => {
    hostileServer.reset();
    const pages: FaultPage[] = [];
    await use(async (options) => {
      const page = await FaultPage.open(browser, site.url, options, hostileServer);
      pages.push(page);
      return page;
    });
    for (const page of pages) await page.close();
  },
});

/** Defines one test for each fault of a group. `npm test` runs every third one, so that it stays short. */
export const defineFaultTests = ({ title, faults, setUp }: FaultGroup): void => {
  it.describe(title, () => {
    let tearDown = async (): Promise<void> => {};

    it.beforeAll(async () => {
      if (setUp) tearDown = await setUp();
    });

    it.afterAll(() => tearDown());

    for (const [index, fault] of faults.entries()) {
      const { name, cause, outcome, page: options = {}, allowedErrors, run } = fault;
      const tag = index % 3 === 0 ? [] : ['@slow'];
      it(`${name}: ${cause} → ${outcome}`, { tag }, async ({ openPage, hostileServer }) => {
        const page = await openPage(options);
        await run(page, hostileServer);
        expect(page.consoleErrors(allowedErrors), 'console errors').toEqual([]);
      });
    }
  });
};

/** The standalone build is one classic script, without modules to load. */
export const isStandalone = process.env['WIDGET_BUILD'] === 'standalone';

export const widgetScript = isStandalone
  ? { name: 'standalone.js', tag: '<script src="/a/standalone.js"></script>' }
  : { name: 'workspace-chat.js', tag: '<script type="module" src="/a/workspace-chat.js"></script>' };

export const pageHtml = (baseUrl: string, initScript = ''): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>
<body>
<script>${initScript.replaceAll('</script', String.raw`<\/script`)}</script>
<script>
  const attributes = JSON.parse(decodeURIComponent(location.hash.slice(1) || '%7B%7D'));
  window.create = (more = {}) => {
    const all = { 'base-url': '${baseUrl}', 'publishable-key': 'svc_pk_test', 'agent-id': 'agt_1', mode: 'inline', ...attributes, ...more };
    const element = document.createElement('workspace-chat');
    for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
    element.style.cssText = 'display:block;block-size:600px;inline-size:400px';
    return element;
  };
  window.loadSecondVersion = () => import('/b/${widgetScript.name}');
  window.events = [];
  for (const name of ['ready', 'message', 'conversation', 'state', 'tool', 'unread', 'error'])
    addEventListener('workspace-chat-' + name, (event) => {
      const { code, change, phase, count, state } = event;
      events.push([name, code ?? change ?? phase ?? count ?? state].filter((part) => part !== undefined).join(' '));
    });
  window.prepare?.();
  if (!window.isBare) document.body.append(create());
</script>
${widgetScript.tag}
</body>
</html>`;
