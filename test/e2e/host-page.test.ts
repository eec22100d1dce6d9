import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright';
import { createService, type Listening, type Service } from '../../service/service.ts';
import { buildCdn, servePages, sharedCdn, type Built, type PageServer } from '../support/servers/built-widget.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, Widget } from '../support/pages/visit.ts';

describe('on a page of its own', () => {
  let browser: Browser;
  let service: Service;
  let api: Listening;
  let builds: Built[];
  let element: string;

  before(async () => {
    [browser, service] = await Promise.all([launchBrowser(), createService({ chunkDelay: 5 })]);
    // One after the other: Vite keeps its state in the module.
    builds = [await sharedCdn(), await buildCdn({ minify: false })];
    api = await service.listen();
    const { agentId, publishableKey } = service.demo;
    element = `<workspace-chat base-url="${api.baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"></workspace-chat>`;
  });

  after(async () => {
    await browser?.close();
    await service?.close();
    await Promise.all(builds?.map(({ remove }) => remove()) ?? []);
  });

  const withPage = async (
    html: string,
    visit: (widget: Widget, server: PageServer) => Promise<void>,
    { headers = {}, expected = [] as RegExp[], prepare = (_page: Page): unknown => undefined } = {},
  ) => {
    const folders = { '/one/': builds[0]!.folder, '/two/': builds[1]!.folder };
    const server = await servePages(
      { '/': `<!doctype html><html lang="en"><title>Page</title>${html}` },
      folders,
      headers,
    );
    const context = await newVisitor(browser);
    try {
      const page = await context.newPage();
      await prepare(page);
      await page.goto(server.url);
      await visit(new Widget(page), server);
      expectNoComplaints(context, ...expected);
    } finally {
      await context.close();
      await server.close();
    }
  };

  const script = (build: 'one' | 'two') => `<script type="module" src="/${build}/workspace-chat.js"></script>`;

  it('serves one widget when its script comes twice, in two builds, and moves, goes and comes back with it', () =>
    withPage(`${script('one')}${script('two')}<main id="a"></main><aside id="b"></aside>${element}`, async (widget) => {
      const { page } = widget;
      await widget.open();
      await widget.ask('When are you open?');
      const { conversationId } = await widget.state();
      assert.equal(await page.locator('workspace-chat .launcher').count(), 1);

      await page.evaluate(`document.querySelector('#b').append(document.querySelector('workspace-chat'))`);
      await widget.input.waitFor();
      assert.equal((await widget.state()).conversationId, conversationId);
      assert.equal(await widget.visitorMessages.count(), 1);

      await page.evaluate(`window.kept = document.querySelector('workspace-chat'); kept.remove()`);
      // A task later its work is torn down, and what it had said is stored.
      await page.evaluate(`new Promise((resolve) => setTimeout(resolve))`);
      assert.equal(await page.locator('workspace-chat').count(), 0);
      await page.evaluate(`document.querySelector('#a').append(kept)`);
      await widget.visitorMessages.first().waitFor();
      await widget.ask('Do you ship to Dubai?');
      assert.equal((await widget.state()).conversationId, conversationId);
      assert.equal(await widget.visitorMessages.count(), 2);
    }));

  it('is silent under a strict policy with Trusted Types', () =>
    withPage(
      `<script type="module" nonce="n" src="/one/workspace-chat.js"></script>${element}`,
      async (widget) => {
        const { page } = widget;
        const foreign: string[] = [];
        page.on('request', (request) => {
          const { origin } = new URL(request.url());
          if (origin !== new URL(page.url()).origin && origin !== new URL(api.url).origin) foreign.push(request.url());
        });
        await widget.open();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        assert.deepEqual(foreign, []);
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

  it('goes on without its tools and its relay when their code does not come', () =>
    withPage(
      `${script('one')}${element}<script type="module" nonce="n">
        const chat = document.querySelector('workspace-chat');
        chat.setAttribute('replies-url', '/replies');
        chat.registerTool({ name: 'get_order_status', run: () => ({}) });
        chat.show();
      </script>`,
      async (widget) => {
        await widget.input.waitFor();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        assert.equal(await widget.page.locator('workspace-chat [role=alert]').count(), 0);
      },
      {
        expected: [/ERR_FAILED/, /workspace-chat: a part could not be loaded/],
        prepare: (page) => page.route(/\/(?:tools|replies)-[^/]*\.js$/, (route) => route.abort()),
      },
    ));

  it('says so when the code of its menu does not come, and gets it at the next attempt, by keyboard', () => {
    let isCut = true;
    return withPage(
      `${script('one')}${element}`,
      async (widget) => {
        const { page } = widget;
        await widget.open();
        const button = page.getByRole('button', { name: 'Menu' });
        const alert = page.locator('workspace-chat [role=alert]');
        await button.press('Enter');
        await alert.waitFor();
        assert.match(await alert.innerText(), /could not be loaded/);
        isCut = false;
        await button.press('Enter');
        await page.getByRole('menuitem', { name: 'العربية' }).waitFor();
        assert.equal(await alert.count(), 0);
        await page.keyboard.press('Escape');
        await page.getByRole('menu').waitFor({ state: 'detached' });
        assert.equal(await button.evaluate((element) => element.matches(':focus')), true);
      },
      {
        expected: [/ERR_FAILED/],
        prepare: (page) => page.route('**/menu-*.js', (route) => (isCut ? route.abort() : route.continue())),
      },
    );
  });

  for (const [name, attributes, sentence] of [
    ['no key', `base-url="https://api.example/api/v2" agent-id="agt_1"`, 'it has no “publishable-key”'],
    ['a secret key', `base-url="https://api.example/api/v2" publishable-key="svc_sk_x" agent-id="agt_1"`, 'revoke it'],
    ['a website key', `base-url="https://api.example/api/v2" publishable-key="pk_x" agent-id="agt_1"`, 'website key'],
    ['a bad URL', `base-url="ftp://api.example" publishable-key="svc_pk_x" agent-id="agt_1"`, 'not an http(s) address'],
    ['no agent', `base-url="https://api.example/api/v2" publishable-key="svc_pk_x"`, 'it has no “agent-id”'],
  ] as const) {
    it(`with ${name} says so in the console, once, is calm on the page, and sends nothing`, () => {
      let said: Promise<unknown>;
      const logged: string[] = [];
      const requests: string[] = [];
      return withPage(
        `${script('one')}<workspace-chat ${attributes}></workspace-chat>`,
        async ({ page }) => {
          await page.locator('workspace-chat .launcher').click();
          const problem = page.locator('workspace-chat .problem');
          await problem.waitFor();
          assert.equal(await problem.innerText(), 'The chat is not available on this page right now.');
          await page.evaluate(`document.querySelector('workspace-chat').send('Hello')`);
          await page.waitForFunction(`window.told`);
          await said;
          assert.equal(logged.filter((text) => text.includes(sentence)).length, 1);
          assert.deepEqual(
            requests.filter((url) => new URL(url).origin !== new URL(page.url()).origin),
            [],
          );
        },
        {
          expected: [/workspace-chat: This chat/],
          async prepare(page) {
            await page.addInitScript(`addEventListener('workspace-chat-error', ({ code }) => (window.told = code))`);
            said = page.waitForEvent('console', (message) => message.text().includes(sentence));
            page.on('console', (message) => logged.push(message.text()));
            page.on('request', (request) => requests.push(request.url()));
          },
        },
      );
    });
  }
});
