import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright';
import { release, type Release } from '../../scripts/release.ts';
import { createService, type Listening, type Service } from '../../service/service.ts';
import { buildCdn, buildStandalone, servePages, type Built, type PageServer } from '../support/servers/built-widget.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, Widget } from '../support/pages/visit.ts';

const stub = '<script>window.WorkspaceChat ??= (...a) => { (WorkspaceChat.q ??= []).push(a) }</script>';

describe('one script tag', () => {
  let browser: Browser;
  let service: Service;
  let api: Listening;
  let built: Built;
  let released: Release;
  let data: string;
  let offset = 0;

  before(async () => {
    browser = await launchBrowser();
    service = await createService({ chunkDelay: 5, now: () => Date.now() + offset });
    built = await buildCdn();
    await buildStandalone(built.folder);
    released = await release(built.folder, '/cdn');
    api = await service.listen();
    const { agentId, publishableKey } = service.demo;
    data = `data-base-url="${api.baseUrl}" data-publishable-key="${publishableKey}" data-agent-id="${agentId}"`;
  });

  beforeEach(() => {
    offset += 60_000;
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await built?.remove();
  });

  const tag = (more = '') => `<script async src="/cdn/embed.js" ${data} ${more}></script>`;

  interface Visit {
    page: Page;
    widget: Widget;
    server: PageServer;
    /** What the console was told, as `type text`. */
    said: string[];
  }

  const withPage = async (
    body: string,
    visit: (visit: Visit) => Promise<void>,
    {
      headers = {},
      expected = [] as RegExp[],
      path = '/',
      prepare = async (_page: Page): Promise<unknown> => undefined,
    } = {},
  ) => {
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body><p>Words</p>${body}</body></html>`;
    const server = await servePages(
      { '/': html, '/shop/mugs': html, '/checkout': html },
      { '/cdn/': built.folder },
      headers,
    );
    const context = await newVisitor(browser);
    try {
      const page = await context.newPage();
      const said: string[] = [];
      page.on('console', (message) => said.push(`${message.type()} ${message.text()}`));
      await prepare(page);
      await page.goto(new URL(path, server.url).href);
      await visit({ page, widget: new Widget(page), server, said });
      expectNoComplaints(context, ...expected);
    } finally {
      await context.close();
      await server.close();
    }
  };

  /** Resolves when the embedded chat is on the page. */
  const arrive = (page: Page) => page.locator('workspace-chat .launcher').waitFor();

  it('is a chat that answers, with every attribute as data', () =>
    withPage(
      tag(
        `data-heading="Ask the potter" data-locale="ar" data-color-scheme="dark" data-placement="start" data-starters='["أهلا"]' data-open="false" data-hide-launcher="false" data-cf-async="false"`,
      ),
      async ({ page, widget }) => {
        await arrive(page);
        const attributes = await page
          .locator('workspace-chat')
          .evaluate((element) =>
            Object.fromEntries(element.getAttributeNames().map((name) => [name, element.getAttribute(name)])),
          );
        assert.equal(attributes['heading'], 'Ask the potter');
        assert.equal(attributes['locale'], 'ar');
        assert.equal(attributes['color-scheme'], 'dark');
        assert.equal(attributes['placement'], 'start');
        for (const name of ['open', 'hide-launcher', 'cf-async']) assert.ok(!(name in attributes), name);
        await widget.open();
        await page.getByRole('button', { name: 'أهلا' }).waitFor();
        assert.match(await widget.ask('متى تفتحون يوم الجمعة؟'), /\d/);
      },
    ));

  it('works from the page that is there to be copied', async () => {
    const copied = await readFile(new URL('../../demo/embed.html', import.meta.url), 'utf8');
    const own = copied
      .replace('http://127.0.0.1:8787/api/v2', api.baseUrl)
      .replace('svc_pk_…', service.demo.publishableKey)
      .replace('agt_…', service.demo.agentId);
    await withPage(own, async ({ page, widget }) => {
      await page.getByRole('button', { name: 'Help' }).click();
      await widget.input.waitFor();
      assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
    });
  });

  it('calls in order what was queued before it came, and answers with promises from then on', () =>
    withPage(
      `${stub}<script>
        window.told = [];
        window.returned = [WorkspaceChat('on', 'open', () => told.push('open')),
          WorkspaceChat('on', 'message', ({ message }) => told.push(message.role)),
          WorkspaceChat('ready', (element) => told.push('ready ' + element.localName)),
          WorkspaceChat('send', 'When are you open?'),
          WorkspaceChat('setDraft', 'A draft'),
          WorkspaceChat('show')];
      </script>${tag()}`,
      async ({ page, widget }) => {
        await widget.answers.first().waitFor();
        await widget.settle();
        await page.waitForFunction('told.includes("assistant")');
        assert.equal(await page.evaluate('returned.every((value) => value === undefined)'), true);
        const told = await page.evaluate<string[]>('told');
        assert.deepEqual([...told].sort(), ['assistant', 'open', 'ready workspace-chat']);
        assert.equal(await widget.visitorMessages.innerText(), 'When are you open?');
        assert.equal(await widget.input.inputValue(), 'A draft');

        const answer = await page.evaluate<string>(
          `WorkspaceChat('send', 'Do you ship to Dubai?').then(({ content }) => content)`,
        );
        assert.ok(answer.length > 10);
      },
    ));

  it('has every method, and tells of events until it is asked not to', () =>
    withPage(tag(), async ({ page, widget }) => {
      await arrive(page);
      const isOpen = () => page.locator('workspace-chat').evaluate((element) => element.hasAttribute('open'));
      await page.evaluate(`
        window.told = [];
        window.off = WorkspaceChat('on', 'open', () => told.push('first'));
        window.second = () => told.push('second');
        WorkspaceChat('on', 'open', second);
      `);
      await page.evaluate(`WorkspaceChat('show')`);
      assert.equal(await isOpen(), true);
      await page.evaluate(`WorkspaceChat('hide')`);
      assert.equal(await isOpen(), false);
      await page.evaluate(`off()`);
      await page.evaluate(`WorkspaceChat('toggle')`);
      assert.equal(await isOpen(), true);
      await page.evaluate(`WorkspaceChat('off', 'open', second)`);
      await page.evaluate(`WorkspaceChat('hide').then(() => WorkspaceChat('show'))`);
      assert.deepEqual(await page.evaluate('told'), ['first', 'second', 'second']);

      await page.evaluate(`WorkspaceChat('setDraft', 'Hello?')`);
      await widget.input.waitFor();
      await page.waitForFunction(() => {
        const composer = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea');
        return composer?.value === 'Hello?';
      });
      await page.evaluate(`WorkspaceChat('identify', { token: 'a.b.c' })`);
      assert.equal(
        await page.locator('workspace-chat').evaluate((element) => JSON.stringify((element as never)['contact'])),
        '{"token":"a.b.c"}',
      );
      await page.evaluate(`WorkspaceChat('logout')`);
      assert.equal(await page.locator('workspace-chat').evaluate((element) => (element as never)['contact']), null);

      const unregistering = await page.evaluate(`Promise.all([
        WorkspaceChat('registerTool', { name: 'get_order', run: () => ({}) }),
        WorkspaceChat('registerBlock', 'map', () => 'A map'),
      ]).then((values) => values.map((value) => typeof value))`);
      assert.deepEqual(unregistering, ['function', 'function']);

      await page.evaluate(`WorkspaceChat('send', 'When are you open?')`);
      const { conversationId } = await widget.state();
      assert.ok(conversationId);
      await page.evaluate(
        `WorkspaceChat('receive', { id: 'msg_x', role: 'assistant', actor_type: 'owner', content: 'Sam here', conversation_id: '${conversationId}' })`,
      );
      await page.getByText('Sam here', { exact: true }).waitFor();
      await page.evaluate(`WorkspaceChat('stop')`);
      await page.evaluate(`WorkspaceChat('reset')`);
      assert.equal((await widget.state()).conversationId, null);
    }));

  it('says which command there is not', () =>
    withPage(
      tag(),
      async ({ page, said }) => {
        await arrive(page);
        await page.evaluate(`WorkspaceChat('opne')`);
        await page.evaluate(`WorkspaceChat('constructor')`);
        assert.deepEqual(
          said.filter((text) => text.includes('there is no command')),
          [
            'error workspace-chat: there is no command “opne”.',
            'error workspace-chat: there is no command “constructor”.',
          ],
        );
      },
      { expected: [/there is no command/] },
    ));

  it('leaves one name in the page, no cookie, no shift of the layout, and asks nobody but the site and the service', () => {
    const asked: string[] = [];
    return withPage(
      `<script>window.before = new Set(Object.getOwnPropertyNames(window))</script>${tag('data-open="true"')}`,
      async ({ page, widget, server }) => {
        await widget.input.waitFor();
        await widget.ask('When are you open?');
        const added = await page.evaluate<string[]>(
          `Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && name !== 'before')`,
        );
        // Lit leaves its own marks, by which several copies of it get along.
        const marks = /^(lit(Html|Element)Versions|reactiveElementVersions|litPropertyMetadata)$/;
        assert.deepEqual(
          added.filter((name) => !marks.test(name)),
          ['WorkspaceChat'],
        );
        assert.equal(await page.evaluate('shifts'), 0);
        assert.deepEqual(await page.context().cookies(), []);
        const allowed = [new URL(server.url).origin, new URL(api.url).origin];
        assert.ok(asked.some((url) => url.startsWith(api.url)));
        assert.deepEqual(
          asked.filter((url) => !allowed.includes(new URL(url).origin)),
          [],
        );
      },
      {
        async prepare(page) {
          page.on('request', (request) => asked.push(request.url()));
          await page.addInitScript(() => {
            const counted = globalThis as unknown as { shifts: number };
            counted.shifts = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) counted.shifts += (entry as unknown as { value: number }).value;
            }).observe({ type: 'layout-shift', buffered: true });
          });
        },
      },
    );
  });

  it('comes when the page has loaded and the delay is over; asked for, at once', () =>
    withPage(tag('data-delay="3600000"'), async ({ page, widget }) => {
      await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
      // Everything of the page that was to load has loaded, and it has been idle.
      await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
      assert.equal(await page.locator('workspace-chat').count(), 0);
      assert.equal(
        await page.evaluate(`performance.getEntriesByName(new URL('/cdn/workspace-chat.js', location).href).length`),
        0,
      );
      await page.evaluate(`WorkspaceChat('show')`);
      await widget.input.waitFor();
    }));

  it('waits for the delay', () =>
    withPage(
      tag('data-delay="3600000"'),
      async ({ page }) => {
        await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
        await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
        await page.clock.fastForward('59:00');
        assert.equal(await page.locator('workspace-chat').count(), 0);
        await page.clock.fastForward('02:00');
        await page.locator('workspace-chat').waitFor({ state: 'attached' });
      },
      { prepare: (page) => page.clock.install() },
    ));

  it('follows the site’s own button, also before it has come', () =>
    withPage(
      `<button class="help">Help</button>${tag('data-delay="3600000" data-hide-launcher data-launcher-selector=".help"')}`,
      async ({ page, widget }) => {
        await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
        assert.equal(await page.locator('workspace-chat').count(), 0);
        await page.getByRole('button', { name: 'Help' }).click();
        await widget.input.waitFor();
        await widget.input.press('Escape');
        await widget.dialog.waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Help' }).click();
        await widget.input.waitFor();
      },
    ));

  it('is on the pages that are named, and goes and comes with the page of an application', () =>
    withPage(
      tag('data-only-on="/shop/*" data-not-on="/shop/cart"'),
      async ({ page }) => {
        await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
        await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
        assert.equal(await page.locator('workspace-chat').count(), 0);
        await page.evaluate(`history.pushState(null, '', '/shop/mugs')`);
        await arrive(page);
        await page.evaluate(`history.pushState(null, '', '/shop/cart')`);
        await page.locator('workspace-chat').waitFor({ state: 'detached' });
        await page.evaluate(`history.back()`);
        await arrive(page);
      },
      { path: '/checkout' },
    ));

  it('is told of pages by “configure” where the browser does not tell', () =>
    withPage(
      tag('data-only-on="/shop/*"'),
      async ({ page }) => {
        await arrive(page);
        await page.evaluate(`history.pushState(null, '', '/checkout'); WorkspaceChat('configure')`);
        await page.locator('workspace-chat').waitFor({ state: 'detached' });
        await page.evaluate(`WorkspaceChat('configure', { onlyOn: '/checkout' })`);
        await arrive(page);
      },
      {
        path: '/shop/mugs',
        prepare: (page) => page.addInitScript(`Object.defineProperty(window, 'navigation', { value: undefined })`),
      },
    ));

  it('leaves the page whole with “destroy”, and begins anew with “configure”', () =>
    withPage(tag('data-heading="First"'), async ({ page, widget }) => {
      await widget.open();
      await widget.ask('When are you open?');
      const { conversationId } = await widget.state();
      await page.evaluate(`
        window.told = 0;
        WorkspaceChat('on', 'open', () => told++);
        WorkspaceChat('destroy');
      `);
      assert.equal(await page.locator('workspace-chat').count(), 0);
      await page.evaluate(`history.pushState(null, '', '/elsewhere')`);
      await page.evaluate(`document.querySelector('p').click()`);
      assert.equal(await page.locator('workspace-chat').count(), 0);

      await page.evaluate(
        `WorkspaceChat('configure', { heading: 'Second', open: true, starters: ['One', 'Two'], strings: { placeholder: 'Ask away' } })`,
      );
      await page.getByRole('dialog', { name: 'Second' }).waitFor();
      await widget.visitorMessages.first().waitFor();
      assert.equal((await widget.state()).conversationId, conversationId);
      assert.equal(await widget.input.getAttribute('placeholder'), 'Ask away');
      assert.equal(await page.evaluate('told'), 0);
      await page.evaluate(`WorkspaceChat('configure', { heading: 'Third' })`);
      await page.getByRole('dialog', { name: 'Third' }).waitFor();
    }));

  it('is set up by a tag manager that knows the rest only later', () =>
    withPage(
      `${stub}<script async src="/cdn/embed.js"></script>`,
      async ({ page, widget }) => {
        await page.waitForFunction(`WorkspaceChat.isLoaded`);
        const { agentId, publishableKey } = service.demo;
        await page.evaluate(
          `WorkspaceChat('configure', ${JSON.stringify({ baseUrl: api.baseUrl, agentId, publishableKey })})`,
        );
        await widget.open();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
      },
      { expected: [/its script tag lacks/] },
    ));

  it('warns of a second tag and leaves it alone', () =>
    withPage(`${tag('data-heading="One"')}${tag('data-heading="Two" id="two"')}`, async ({ page, said }) => {
      await arrive(page);
      await page.waitForLoadState();
      assert.equal(await page.locator('workspace-chat').count(), 1);
      assert.equal(said.filter((text) => /^warning .*second script tag is ignored/.test(text)).length, 1);
    }));

  it('says which data are missing, and sends nothing', () => {
    const asked: string[] = [];
    return withPage(
      `<script async src="/cdn/embed.js" data-base-url="https://api.example/api/v2"></script>`,
      async ({ page, said, server }) => {
        await page.waitForEvent('console');
        assert.deepEqual(said, [
          'error workspace-chat: its script tag lacks data-publishable-key, data-agent-id. Nothing is loaded and nothing is sent.',
        ]);
        assert.deepEqual(asked, [`${server.url}/`, `${server.url}/cdn/embed.js`]);
      },
      {
        expected: [/its script tag lacks/],
        prepare: async (page) => {
          page.on('request', (request) => asked.push(request.url()));
        },
      },
    );
  });

  it('is silent under a strict policy with Trusted Types', () =>
    withPage(
      `<script nonce="n" async src="/cdn/embed.js" ${data}></script>`,
      async ({ widget }) => {
        await widget.open();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
      },
      {
        headers: {
          'content-security-policy': [
            "default-src 'none'",
            "script-src 'nonce-n'",
            `connect-src ${api.url}`,
            "style-src 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types lit-html 'allow-duplicates'",
          ].join('; '),
        },
      },
    ));

  it('says what to allow when the policy stops it, and comes with the next call', () =>
    withPage(
      tag(),
      async ({ page, widget, said }) => {
        await page.waitForEvent('console', (message) => message.text().includes('it could not be loaded'));
        assert.ok(said.some((text) => text.includes('Content-Security-Policy (script-src)')));
        await page.unroute('**/workspace-chat.js');
        await page.evaluate(`WorkspaceChat('show')`);
        await widget.input.waitFor();
      },
      {
        expected: [/it could not be loaded/, /ERR_FAILED/],
        prepare: (page) => page.route('**/workspace-chat.js', (route) => route.abort()),
      },
    ));

  it('is calm with the visitor about a key that the service does not take, and says the reason in the console', () =>
    withPage(
      tag().replace(service.demo.publishableKey, 'svc_pk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
      async ({ page, widget, said }) => {
        await widget.open();
        await widget.input.fill('When are you open?');
        await widget.input.press('Enter');
        await page.getByText('The chat is not available on this page right now.').first().waitFor();
        const reason = 'warning workspace-chat: the service answered “invalid_key” (HTTP 401, req_';
        assert.ok(said.some((text) => text.startsWith(reason)));
      },
      { expected: [/status of 401/] },
    ));

  it('steps aside while a modal of the page is open', () =>
    withPage(`<dialog id="modal"><p>Cookies?</p></dialog>${tag()}`, async ({ page, widget }) => {
      await widget.open();
      await page.evaluate(`modal.showModal()`);
      await widget.input.waitFor({ state: 'hidden' });
      assert.equal(
        await page.locator('workspace-chat .launcher-box').evaluate((box) => box.matches(':popover-open')),
        false,
      );
      await page.evaluate(`modal.close()`);
      await widget.input.waitFor();
    }));

  it('has its files checked by the hashes of the build, and refuses others', async () => {
    const snippet = (change = (text: string) => text) => change(released.snippet).replace(/data-base-url="[^>]*/, data);
    await withPage(snippet(), async ({ widget }) => {
      await widget.open();
      assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
    });
    const tampered = (text: string) => text.replace(/(core-[\w-]+\.js": "sha384-)..../, '$1AAAA');
    assert.notEqual(tampered(released.snippet), released.snippet);
    await withPage(
      snippet(tampered),
      async ({ page }) => {
        await page.locator('workspace-chat .launcher').click();
        await page.getByText('The chat could not be loaded.').waitFor();
      },
      { expected: [/integrity/i, /could not be loaded/] },
    );
  });

  it('works from a file, in one file', async () => {
    const file = join(built.folder, 'page.html');
    await writeFile(
      file,
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>File</title><body>${stub}<script>WorkspaceChat('setDraft', 'Queued')</script><script src="standalone.js" ${data} data-open></script></body></html>`,
    );
    const context = await newVisitor(browser);
    const page = await context.newPage();
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    const widget = new Widget(page);
    await widget.input.waitFor();
    await page.waitForFunction(() => {
      const composer = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea');
      return composer?.value === 'Queued';
    });
    assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
    await page.evaluate(`WorkspaceChat('configure', { locale: 'ar' })`);
    await page.getByRole('textbox', { name: 'الرسالة' }).waitFor();
    assert.match(await widget.ask('أريد أن أحجز موعدًا'), /\S/);
    await page.reload();
    await widget.visitorMessages.nth(1).waitFor();
    assert.deepEqual(
      [...new Set(files.filter((url) => !url.startsWith(api.url)))],
      [pathToFileURL(file).href, pathToFileURL(join(built.folder, 'standalone.js')).href],
    );
    expectNoComplaints(context);
    await context.close();
  });

  it('in one file without data serves the elements of the page', () =>
    withPage(
      `<script src="/cdn/standalone.js"></script><workspace-chat ${data.replaceAll('data-', '')}></workspace-chat>`,
      async ({ page, widget, said }) => {
        await widget.open();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        assert.equal(await page.locator('workspace-chat').count(), 1);
        assert.deepEqual(said, []);
      },
    ));
});
