/** A named fault: what goes wrong, what the visitor sees of it, and how that is proven in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import { FaultPage, type PageOptions } from './fault-page.ts';
import { HostileServer } from '../servers/hostile-server.ts';
import { serveSite, type Site } from '../servers/site.ts';
import { launchBrowser } from '../browsers/chromium.ts';

export interface Fault {
  name: string;
  /** What goes wrong. */
  about: string;
  /** What the visitor sees of it. */
  sees: string;
  page?: PageOptions;
  /** What the page may say in the console, beside the browser's own network lines. */
  complaints?: RegExp;
  prove(page: FaultPage, server: HostileServer): Promise<void>;
}

export interface FaultGroup {
  title: string;
  faults: Fault[];
  /** Makes what the group needs beside the server; the answer takes it away. */
  setUp?(): Promise<() => Promise<void>>;
}

/** Runs a group's faults, each as a new visitor of one browser. */
export const proveFaults = (
  { title, faults, setUp }: FaultGroup,
  launch: () => Promise<Browser> = launchBrowser,
): void => {
  describe(title, () => {
    let tearDown = async () => {};
    const server = new HostileServer();
    let browser: Browser;
    let site: Site;

    before(async () => {
      [browser, site] = await Promise.all([launch(), serveSite(() => pageHtml(server.baseUrl)), server.listen()]);
      if (setUp) tearDown = await setUp();
    });

    after(async () => {
      await browser?.close();
      await site?.close();
      await server.close();
      await tearDown();
    });

    for (const { name, page: options = {}, complaints, prove } of faults) {
      it(name, { timeout: 20_000 }, async () => {
        server.reset();
        const page = await FaultPage.open(browser, site.url, options);
        try {
          await prove(page, server);
          assert.deepEqual(page.complaints(complaints), [], 'the page complained');
        } finally {
          await page.close();
        }
      });
    }
  });
};

const pageHtml = (baseUrl: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><link rel="icon" href="data:,"><title>A page</title>
<body>
<script>
  const { tag, other, html, ...attributes } = JSON.parse(decodeURIComponent(location.hash.slice(1) || '%7B%7D'));
  window.create = (more = {}) => {
    const all = { 'base-url': '${baseUrl}', 'publishable-key': 'svc_pk_test', 'agent-id': 'agt_1', mode: 'inline', ...attributes, ...more };
    const element = document.createElement('workspace-chat');
    for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
    element.style.cssText = 'display:block;block-size:600px;inline-size:400px';
    return element;
  };
  window.events = [];
  for (const name of ['ready', 'message', 'conversation', 'state', 'tool', 'unread', 'error'])
    addEventListener('workspace-chat-' + name, (event) => {
      const { code, change, phase, count, state } = event;
      events.push([name, code ?? change ?? phase ?? count ?? state].filter((part) => part !== undefined).join(' '));
    });
  window.prepare?.();
  if (!window.isBare) document.body.append(create());
</script>
<script type="module" src="/a/workspace-chat.js"></script>
</body>
</html>`;
