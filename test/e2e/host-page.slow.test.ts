import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';
import { Widget } from '../support/pages/visit.ts';

interface VisitOptions {
  headers?: Record<string, string>;
  allowedErrors?: RegExp[];
  /** Runs before the page is opened. */
  prepare?: (page: Page) => unknown;
}

const it = base.extend<{
  /** The HTML of the element. */
  element: string;
  /** Opens a page with this body. */
  visit(html: string, options?: VisitOptions): Promise<Widget>;
}>({
  element: async ({ service }, use) => {
    const { baseUrl, publishableKey, agentId } = service.settings;
    await use(
      `<workspace-chat base-url="${baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"></workspace-chat>`,
    );
  },
  visit: async ({ newPage, serve, cdnBuild, secondBuild, allowedErrors }, use) => {
    await use(async (html, { headers, allowedErrors: expected = [], prepare } = {}) => {
      allowedErrors.push(...expected);
      const folders = {
        '/one/': cdnBuild.folder,
        '/two/': secondBuild.folder,
        '/worker.js': worker,
        '/bootstrap/': bootstrap,
      };
      const pages = { '/': `<!doctype html><html lang="en"><title>Page</title>${html}` };
      const server = await serve(pages, folders, headers);
      const page = await newPage();
      await prepare?.(page);
      await page.goto(server.url);
      return new Widget(page);
    });
  },
});

const worker = fileURLToPath(new URL('sites/keep-everything.js', import.meta.url));
const bootstrap = fileURLToPath(new URL('../../node_modules/bootstrap/dist/css', import.meta.url));

/** Returns how the parts of an open chat look. */
const look = async ({ page }: Widget): Promise<object[]> =>
  page.locator('workspace-chat').evaluate(async ({ shadowRoot }) => {
    await Promise.allSettled(shadowRoot!.getAnimations().map(({ finished }) => finished));
    const parts = ['.panel', 'h2', '.message.visitor .bubble', '.message.agent .text p', 'textarea', '.launcher'];
    return parts.map((part) => {
      const found = shadowRoot!.querySelector(part)!;
      const { width, height } = found.getBoundingClientRect();
      const { color, backgroundColor, fontFamily, fontSize, fontWeight, lineHeight, margin, padding } =
        getComputedStyle(found);
      const size = [width, height].map(Math.round);
      return { part, size, color, backgroundColor, fontFamily, fontSize, fontWeight, lineHeight, margin, padding };
    });
  });

/** The script tag of one of two builds. */
const script = (build: 'one' | 'two') => `<script type="module" src="/${build}/workspace-chat.js"></script>`;

it.describe('on a page of its own', () => {
  it('one widget survives two builds of its script, and being moved, removed and added again', async ({
    visit,
    element,
  }) => {
    const widget = await visit(`${script('one')}${script('two')}<main id="a"></main><aside id="b"></aside>${element}`);
    const { page } = widget;
    await widget.open();
    await widget.ask('When are you open?');
    const { conversationId } = await widget.state();
    await expect(page.locator('workspace-chat .launcher')).toHaveCount(1);

    await page.evaluate(`document.querySelector('#b').append(document.querySelector('workspace-chat'))`);
    await expect(widget.input).toBeVisible();
    await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
    await expect(widget.visitorMessages).toHaveCount(1);

    await page.evaluate(`window.kept = document.querySelector('workspace-chat'); kept.remove()`);
    // The element stops its work in a task after the removal. The idle callback comes later.
    await page.evaluate(`new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)))`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`document.querySelector('#a').append(kept)`);
    await expect(widget.visitorMessages.first()).toBeVisible();
    await widget.ask('Do you ship to Dubai?');
    await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
    await expect(widget.visitorMessages).toHaveCount(2);
  });

  it('an element with a wrong key shows a calm sentence, fires an error event, and sends nothing', async ({
    visit,
  }) => {
    const requested: string[] = [];
    const attributes = 'base-url="https://api.example/api/v2" publishable-key="svc_sk_x" agent-id="agt_1"';
    const { page } = await visit(`${script('one')}<workspace-chat ${attributes}></workspace-chat>`, {
      allowedErrors: [/This is a secret key/],
      async prepare(opened) {
        await opened.addInitScript(`addEventListener('workspace-chat-error', ({ code }) => (window.errorCode = code))`);
        opened.on('request', (request) => requested.push(request.url()));
      },
    });
    await page.locator('workspace-chat .launcher').click();
    await expect(page.locator('workspace-chat .problem')).toHaveText(
      'The chat is not available on this page right now.',
    );
    await page.evaluate(`document.querySelector('workspace-chat').send('Hello')`);
    await page.waitForFunction(`window.errorCode`);
    expect(requested.filter((url) => new URL(url).origin !== new URL(page.url()).origin)).toEqual([]);
  });

  it('the style sheet of a framework changes nothing in the chat', async ({ visit, element }) => {
    const looks: object[][] = [];
    for (const theme of ['', '<link rel="stylesheet" href="/bootstrap/bootstrap.min.css">']) {
      const widget = await visit(`${theme}${script('one')}<h1>Shop</h1>${element}`);
      await widget.open();
      await widget.ask('Do you ship to Dubai?');
      looks.push(await look(widget));
      // Bootstrap's style sheet has arrived.
      const margin = await widget.page.locator('h1').evaluate((heading) => getComputedStyle(heading).marginTop);
      expect(margin === '0px').toBe(theme !== '');
    }
    expect(looks[1]).toEqual(looks[0]);
  });

  it('a service worker that keeps every file serves the chat, which still reaches the service', async ({
    visit,
    element,
  }) => {
    const widget = await visit(`${script('one')}${element}
      <script>navigator.serviceWorker.register('/worker.js')</script>`);
    const { page } = widget;
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
    for (const visits of [1, 2]) {
      await page.reload();
      if (visits === 1) await widget.open();
      await widget.ask('Do you ship to Dubai?');
      await expect(widget.visitorMessages).toHaveCount(visits);
    }
    const kept = await page.evaluate<string[]>(
      `caches.open('site').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))`,
    );
    expect(kept).toContain('/one/workspace-chat.js');
    expect(kept.filter((path) => path.startsWith('/api/'))).toEqual([]);
  });
});
