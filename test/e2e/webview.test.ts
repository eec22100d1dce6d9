import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { App, transports, type TransportName } from '../support/pages/app.ts';
import { buildStandalone, servePages, type PageServer } from '../support/servers/built-widget.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor, startDemo, Widget } from '../support/pages/visit.ts';

const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

describe('in an app’s webview', () => {
  let browser: Browser;
  let demo: Awaited<ReturnType<typeof startDemo>>;
  let folder: string;
  let server: PageServer;
  let connection: { baseUrl: string; publishableKey: string; agentId: string };

  before(async () => {
    [browser, demo] = await Promise.all([launchBrowser(), startDemo({ chunkDelay: 5 })]);
    folder = await mkdtemp(join(tmpdir(), 'workspace-chat-webview-'));
    await buildStandalone(folder, 'webview');
    server = await servePages({}, { '/': `${folder}/` });
    const { baseUrl, publishableKey, agentId } = demo.config;
    connection = { baseUrl, publishableKey, agentId };
  });

  beforeEach(() => demo.moveClock(60_000));

  after(async () => {
    await browser?.close();
    await server?.close();
    await demo?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  interface Visit {
    page: Page;
    app: App;
    widget: Widget;
  }

  interface Options {
    transport?: TransportName | null;
    /** Injected before the page's script; null for none. */
    configuration?: object | null;
    fragment?: string;
    url?: string;
    expected?: RegExp[];
    context?: BrowserContextOptions;
    prepare?: (page: Page) => Promise<unknown>;
    answersStorage?: boolean;
  }

  const withApp = async (options: Options, visit: (visit: Visit) => Promise<void>) => {
    const { transport = 'webkit', configuration = connection, fragment = '', expected = [] } = options;
    const context = await newVisitor(browser, { ...phone, ...options.context });
    try {
      const page = await context.newPage();
      const app = new App(page);
      app.answersStorage = options.answersStorage ?? true;
      await options.prepare?.(page);
      await app.prepare(transport, configuration ?? undefined);
      await page.goto(options.url ?? `${server.url}/webview.html${fragment}`);
      await visit({ page, app, widget: new Widget(page) });
      assert.deepEqual(app.violations, []);
      expectNoComplaints(context, ...expected);
    } finally {
      await context.close();
    }
  };

  const fragmentOf = (configuration: object) =>
    `#workspaceChatConfig=${encodeURIComponent(JSON.stringify(configuration))}`;

  for (const transport of Object.keys(transports) as TransportName[]) {
    it(`is configured, asked and heard over ${transport}`, () =>
      withApp({ transport, configuration: null }, async ({ app, widget }) => {
        assert.deepEqual(await app.take('ready'), { v: 1, type: 'ready', configured: false });
        await app.say('configure', { configuration: { ...connection, heading: 'Help' } });
        assert.equal((await app.take('ready'))['configured'], true);
        await widget.page.getByRole('heading', { name: 'Help' }).waitFor();
        await app.say('send', { text: 'When are you open on Friday?' });
        const { message } = await app.take('message');
        assert.match((message as { content: string }).content, /16:00/);
        assert.equal(await widget.visitorMessages.count(), 1);
      }));
  }

  it('takes its configuration from the fragment, and clears that', () =>
    withApp({ configuration: null, fragment: fragmentOf(connection) }, async ({ page, app, widget }) => {
      assert.equal((await app.take('ready'))['configured'], true);
      assert.equal(page.url(), `${server.url}/webview.html`);
      assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
    }));

  it('takes what is injected before the fragment, keeps no trace of it, and never reads the query', () =>
    withApp(
      {
        configuration: { ...connection, heading: 'Injected' },
        url: `${server.url}/webview.html?locale=ar&heading=Query${fragmentOf({ heading: 'Fragment', greeting: 'Hello there' })}`,
      },
      async ({ page, app }) => {
        await app.take('ready', ({ configured }) => configured === true);
        await page.getByRole('heading', { name: 'Injected' }).waitFor();
        await page.getByText('Hello there').waitFor();
        assert.equal(await page.evaluate(`'workspaceChatConfig' in window`), false);
        assert.equal(new URL(page.url()).search, '?locale=ar&heading=Query');
      },
    ));

  it('is configured by a message with workspaceChatConfig alone', () =>
    withApp({ configuration: null }, async ({ page, app, widget }) => {
      await app.take('ready');
      await page.evaluate((json) => window.postMessage(json, '*'), JSON.stringify({ workspaceChatConfig: connection }));
      assert.equal((await app.take('ready'))['configured'], true);
      await widget.input.waitFor();
    }));

  it('says what it does not understand, and does nothing', () =>
    withApp({}, async ({ page, app, widget }) => {
      await app.take('ready', ({ configured }) => configured === true);
      await widget.input.waitFor();
      const before = await page.evaluate(`document.documentElement.outerHTML`);
      const said: [unknown, string, RegExp][] = [
        ['{', 'invalid_json', /one JSON object/],
        ['[1]', 'invalid_json', /one JSON object/],
        [{ v: 1, type: 'send', text: 'Hi' }, 'invalid_json', /must be a string/],
        ['{"type":"send","text":"Hi"}', 'unsupported_version', /“v” must be 1/],
        ['{"v":2,"type":"send","text":"Hi"}', 'unsupported_version', /“v” must be 1/],
        ['{"v":1,"type":"toString"}', 'unknown_type', /configure, identify/],
        ['{"v":1,"type":"send"}', 'invalid_field', /“text” must be a string/],
        ['{"v":1,"type":"send","text":"Hi","urgent":true}', 'invalid_field', /no field “urgent”/],
        ['{"v":1,"type":"insets","top":-1}', 'invalid_field', /“top” must be a number of CSS pixels/],
        ['{"v":1,"type":"configure","configuration":{"agentID":"x"}}', 'invalid_field', /no field “agentID”/],
        ['{"v":1,"type":"configure","configuration":{"storage":"native"}}', 'invalid_field', /cannot change/],
        ['{"v":1,"type":"toolResult","callId":"c","ok":true}', 'not_waiting', /call “c”/],
        ['{"v":1,"type":"storage","id":"s9"}', 'not_waiting', /request “s9”/],
      ];
      for (const [json, code, detail] of said) {
        await app.sayRaw(json);
        const error = await app.take('error');
        assert.equal(error['code'], code, JSON.stringify(json));
        assert.match(error['detail'] as string, detail);
      }
      assert.equal(await page.evaluate(`document.documentElement.outerHTML`), before);
      assert.equal(await widget.visitorMessages.count(), 0);
      assert.deepEqual(app.messages, []);
    }));

  it('says so when a message comes before the configuration, or that is no good', () =>
    withApp({ configuration: { baseUrl: 7 } }, async ({ app }) => {
      assert.match((await app.take('error'))['detail'] as string, /workspaceChatConfig: “baseUrl” must be a string/);
      assert.equal((await app.take('ready'))['configured'], false);
      await app.say('send', { text: 'Hello' });
      assert.equal((await app.take('error'))['code'], 'not_configured');
      await app.say('back');
      await app.take('close');
    }));

  it('fills the screen, and has no launcher', () =>
    withApp({}, async ({ page, widget }) => {
      await widget.input.waitFor();
      assert.equal(await page.locator('workspace-chat').getAttribute('mode'), 'fullscreen');
      assert.deepEqual(await page.locator('workspace-chat .panel').boundingBox(), { x: 0, y: 0, ...phone.viewport });
      assert.equal(await page.locator('workspace-chat .launcher').count(), 0);
    }));

  it('is felt when something was sent, was answered and has failed', () =>
    withApp({ expected: [/net::ERR/] }, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await widget.ask('When are you open on Friday?');
      assert.equal((await app.take('haptic'))['kind'], 'light');
      assert.equal((await app.take('haptic'))['kind'], 'success');
      await page.route('**/chat', (route) => route.abort('connectionreset'));
      await app.say('send', { text: 'Do you ship to Dubai?' });
      assert.equal((await app.take('haptic'))['kind'], 'light');
      assert.equal((await app.take('haptic'))['kind'], 'error');
    }));

  it('counts what comes while nobody looks', () =>
    withApp({}, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isHidden === true });
        window.isHidden = true;
        document.dispatchEvent(new Event('visibilitychange'));
      `);
      await app.say('send', { text: 'When are you open on Friday?' });
      assert.equal((await app.take('unread'))['count'], 1);
      assert.ok(!app.messages.some(({ type }) => type === 'haptic'), 'a phone in a pocket trembled');
      await page.evaluate(`window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))`);
      assert.equal((await app.take('unread'))['count'], 0);
    }));

  describe('with tools of the app', () => {
    const tools = [{ name: 'get_order_status', confirm: 'May the app look up your order?' }];

    it('asks the visitor, has the app run it, and tells the agent', () =>
      withApp({ configuration: { ...connection, tools } }, async ({ page, app, widget }) => {
        await widget.input.fill('Where is order number 1042?');
        await widget.input.press('Enter');
        await page.getByText('May the app look up your order?').waitFor();
        assert.ok(!app.messages.some(({ type }) => type === 'tool'));
        // A prompt that has just appeared under a finger was not read: clicks in its first moments count for nothing.
        const shownAt = await page.evaluate(() => performance.now());
        await page.waitForFunction((since) => performance.now() - since > 500, shownAt);
        await page.getByRole('button', { name: 'Allow', exact: true }).click();
        const call = await app.take('tool');
        assert.equal(call['phase'], 'run');
        assert.equal(call['name'], 'get_order_status');
        assert.deepEqual(call['arguments'], { order_number: '1042' });
        await app.say('toolResult', {
          callId: call['callId'],
          ok: true,
          result: { order_number: '1042', status: 'on the van' },
        });
        const { message } = await app.take('message');
        assert.match((message as { content: string }).content, /on the van/);
        // It is over: whoever answers once more is told so.
        await app.say('toolResult', { callId: call['callId'], ok: true });
        assert.equal((await app.take('error'))['code'], 'not_waiting');
      }));

    it('tells the app when its time is over, and when the visitor stops', () =>
      withApp(
        {
          configuration: { ...connection, tools: [{ name: 'get_order_status', timeoutMs: 300 }] },
          expected: [/a client tool failed/],
        },
        async ({ page, app, widget }) => {
          await widget.input.fill('Where is order number 1042?');
          await widget.input.press('Enter');
          const late = await app.take('tool', ({ phase }) => phase === 'run');
          const abort = await app.take('tool', ({ phase }) => phase === 'abort');
          assert.deepEqual(abort, { v: 1, type: 'tool', phase: 'abort', callId: late['callId'], reason: 'timeout' });
          await app.take('message');

          await app.say('configure', { configuration: { tools: [{ name: 'get_order_status' }] } });
          await widget.input.fill('Where is order number 1043?');
          await widget.input.press('Enter');
          await app.take('tool', ({ phase }) => phase === 'run');
          await page.getByRole('button', { name: 'Stop' }).click();
          assert.equal((await app.take('tool'))['reason'], 'stopped');
        },
      ));

    it('refuses a list with a slip in it, and keeps the one before', () =>
      withApp(
        {
          configuration: { ...connection, tools: [{ name: 'get_order_status' }] },
          // The app's reason is for the console; the agent learns only that it did not work.
          expected: [/a client tool failed/],
        },
        async ({ app, widget }) => {
          await widget.input.waitFor();
          await app.say('configure', { configuration: { tools: [{ name: 'Order Status' }], heading: 'No' } });
          assert.match((await app.take('error'))['detail'] as string, /snake_case name of its own/);
          assert.equal(await widget.page.getByRole('heading', { name: 'No' }).count(), 0);
          await app.say('send', { text: 'Where is order number 1042?' });
          const call = await app.take('tool');
          await app.say('toolResult', { callId: call['callId'], ok: false, error: 'no such order' });
          const { message } = await app.take('message');
          assert.doesNotMatch((message as { content: string }).content, /no such order/);
        },
      ));
  });

  describe('with the app’s storage', () => {
    const configuration = () => ({ ...connection, storage: 'native' });

    it('goes on after a reload, and leaves nothing in the browser', () =>
      withApp({ configuration: configuration() }, async ({ page, app, widget }) => {
        await widget.input.waitFor();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        const { conversationId } = await widget.state();
        await widget.settle();
        assert.deepEqual(await page.evaluate(`indexedDB.databases()`), []);
        const key = [connection.baseUrl, connection.publishableKey, connection.agentId].join(' ');
        assert.deepEqual([...app.stored.keys()].sort(), ['workspace-chat records', key].sort());
        assert.deepEqual(JSON.parse(app.stored.get('workspace-chat records')!), [key]);

        await page.reload();
        await widget.answers.first().waitFor();
        assert.equal((await widget.state()).conversationId, conversationId);
        await widget.ask('Do you ship to Dubai?');
        assert.equal((await widget.state()).conversationId, conversationId);

        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('menuitem', { name: 'New conversation' }).click();
        await widget.answers.first().waitFor({ state: 'detached' });
        await app.take('storage', ({ operation, key: name }) => operation === 'delete' && name === key);
        await app.take('storage', ({ operation, key: name }) => operation === 'delete' && name !== key);
        assert.equal(app.stored.size, 0);
      }));

    it('works in memory when the app does not answer, and says so once', () =>
      withApp({ configuration: configuration(), answersStorage: false }, async ({ app, widget }) => {
        assert.equal((await app.take('error'))['code'], 'storage_unavailable');
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        assert.ok(!app.messages.some(({ type, code }) => type === 'error' && code === 'storage_unavailable'));
      }));
  });

  it('knows who the visitor is, and forgets everything when they log out', () =>
    withApp({}, async ({ app, widget }) => {
      const host = (path: string, init?: RequestInit) => fetch(new URL(`host/${path}`, demo.url), init);
      const cookie = (await host('session', { method: 'POST' })).headers.get('set-cookie')!.split(';')[0]!;
      const contact: unknown = await (await host('identity-token', { headers: { cookie } })).json();
      await widget.input.waitFor();
      await app.say('identify', { contact });
      const sent = widget.page.waitForRequest(
        (request) => request.url().endsWith('/chat') && request.method() === 'POST',
      );
      await widget.ask('When are you open on Friday?');
      assert.deepEqual(((await sent).postDataJSON() as { contact: unknown }).contact, contact);
      await app.say('logout');
      await widget.answers.first().waitFor({ state: 'detached' });
      assert.equal((await widget.state()).conversationId, null);
    }));

  it('answers “back” with what is open, then with “close”', () =>
    withApp({}, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menu').waitFor();
      await app.say('back');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      assert.ok(!app.messages.some(({ type }) => type === 'close'));
      await app.say('back');
      await app.take('close');
    }));

  it('has a close button in the visitor’s language when the app wants one', () =>
    withApp({ configuration: { ...connection, closeButton: true } }, async ({ page, app }) => {
      await page.getByRole('button', { name: 'Close chat' }).click();
      await app.take('close');
      await app.say('locale', { value: 'ar' });
      await page.getByRole('button', { name: 'إغلاق المحادثة' }).waitFor();
      await app.say('configure', { configuration: { closeButton: false } });
      await page.getByRole('button', { name: 'إغلاق المحادثة' }).waitFor({ state: 'detached' });
    }));

  it('gives every link to the app and stays where it is', () =>
    withApp(
      {
        configuration: {
          ...connection,
          strings: { privacyUrl: 'https://shop.example/privacy', privacyLabel: 'Privacy' },
        },
      },
      async ({ page, app, widget }) => {
        const pages = page.context().pages().length;
        await page.getByRole('link', { name: 'Privacy' }).click();
        assert.equal((await app.take('open-link'))['url'], 'https://shop.example/privacy');
        await widget.ask('When are you open on Friday?');
        const link = page.locator('workspace-chat .message.agent a').first();
        await link.waitFor();
        const url = await link.getAttribute('href');
        await link.click();
        assert.equal((await app.take('open-link'))['url'], url);
        assert.equal(page.context().pages().length, pages);
        assert.equal(page.url(), `${server.url}/webview.html`);
        assert.ok(!app.messages.some(({ type }) => type === 'open-link'));
      },
    ));

  it('opens links beside itself in a plain browser', () =>
    withApp({ transport: null }, async ({ page, widget }) => {
      await widget.ask('When are you open on Friday?');
      const link = page.locator('workspace-chat .message.agent a').first();
      await page.context().route(/shop\.example|palm/, (route) => route.fulfill({ body: 'A page of the shop' }));
      const [popup] = await Promise.all([page.waitForEvent('popup'), link.click()]);
      await popup.close();
      assert.equal(page.url(), `${server.url}/webview.html`);
    }));

  it('leaves the edges free that the app names, in both directions, and none twice', () =>
    withApp({ configuration: { ...connection, insets: { top: 44 } } }, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await app.say('insets', { bottom: 300, left: 20 });
      const box = async (selector: string) => (await page.locator(`workspace-chat ${selector}`).boundingBox())!;
      const isInset = (side: string, value: string) =>
        page.waitForFunction(
          ([name, wanted]) => getComputedStyle(document.documentElement).getPropertyValue(name!) === wanted,
          [`--inset-${side}`, value],
        );
      await isInset('left', '20px');
      assert.equal((await box('.header')).y, 44);
      assert.equal((await box('.header')).x, 20);
      const footer = await box('.footer');
      assert.ok(Math.abs(footer.y + footer.height - 480) < 1, `the footer ends at ${footer.y + footer.height}`);
      assert.equal((await box('.panel')).height, 780);
      await app.say('locale', { value: 'ar' });
      await page.locator('workspace-chat .panel[dir=rtl]').waitFor();
      assert.equal((await box('.header')).x, 20);
      await app.say('insets', { bottom: 0 });
      await isInset('bottom', '0px');
      const after = await box('.footer');
      assert.ok(Math.abs(after.y + after.height - 780) < 1);
    }));

  it('has nothing that scrolls around the composer, and no field that makes a phone zoom', () =>
    withApp({ configuration: { ...connection, theme: { 'font-size': '12px' } } }, async ({ page, widget }) => {
      await widget.input.waitFor();
      await widget.ask('I would like to place a custom order');
      await page.locator('workspace-chat .message.agent input').first().waitFor();
      const scrolling = await widget.input.evaluate((input) => {
        const found: string[] = [];
        let node: Node | null = input;
        while ((node = node instanceof ShadowRoot ? node.host : node.parentNode)) {
          if (!(node instanceof Element)) continue;
          const { overflowY } = getComputedStyle(node);
          const isScrollable = node.scrollHeight > node.clientHeight && !/hidden|clip|visible/.test(overflowY);
          if (isScrollable) found.push(node.tagName);
        }
        scrollTo(0, 100);
        return [...found, ...(scrollY > 0 ? ['the page'] : [])];
      });
      assert.deepEqual(scrolling, []);
      const sizes = await page
        .locator('workspace-chat :is(textarea, input, select)')
        .evaluateAll((fields) => fields.map((field) => parseFloat(getComputedStyle(field).fontSize)));
      assert.ok(sizes.length > 1);
      assert.ok(
        sizes.every((size) => size >= 16),
        String(sizes),
      );
    }));

  it('keeps the composer above a keyboard that covers the page', () =>
    withApp({ configuration: { ...connection, insets: { bottom: 300 } } }, async ({ page, widget }) => {
      await widget.input.waitFor();
      // As on iOS: the visual viewport shrinks and moves, the layout stays.
      await page.evaluate(`
        Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => 480 });
        Object.defineProperty(visualViewport, 'offsetTop', { configurable: true, get: () => 60 });
        visualViewport.dispatchEvent(new Event('resize'));
      `);
      const footer = page.locator('workspace-chat .footer');
      await page.locator('html[data-keyboard]').waitFor();
      const { y, height } = (await footer.boundingBox())!;
      assert.ok(Math.abs(y + height - 540) < 1, `the footer ends at ${y + height}`);
    }));

  it('follows the colour scheme, the language and the theme that the app says', () =>
    withApp({ configuration: { ...connection, theme: { accent: '#aa0000' } } }, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      const colours = () =>
        page.evaluate(() => {
          const panel = document.querySelector('workspace-chat')!.shadowRoot!.querySelector('.panel')!;
          return [getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(panel).backgroundColor];
        });
      await app.say('colorScheme', { value: 'dark' });
      await page.locator('html[data-color-scheme=dark]').waitFor();
      assert.deepEqual(await colours(), ['rgb(23, 24, 28)', 'rgb(23, 24, 28)']);
      await app.say('colorScheme', { value: 'light' });
      await page.locator('html[data-color-scheme=light]').waitFor();
      assert.deepEqual(await colours(), ['rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
      await app.say('locale', { value: 'ar-OM' });
      await page.getByRole('textbox', { name: 'الرسالة' }).waitFor();
      assert.deepEqual(await page.evaluate(`[document.documentElement.lang, document.documentElement.dir]`), [
        'ar-OM',
        'rtl',
      ]);
      await widget.input.fill('مرحبا');
      assert.equal(
        await widget.sendButton.evaluate((button) => getComputedStyle(button).backgroundColor),
        'rgb(170, 0, 0)',
      );
    }));

  it('speaks the language of the phone when the app says nothing', () =>
    withApp({ context: { locale: 'ar-OM' } }, async ({ page }) => {
      await page.getByRole('textbox', { name: 'الرسالة' }).waitFor();
    }));

  it('is right when a patched fetch delivers an answer all at once', () =>
    withApp(
      {
        prepare: (page) =>
          page.addInitScript(`
            const own = window.fetch.bind(window);
            window.fetch = async (...given) => {
              const response = await own(...given);
              const { status, headers } = response;
              return new Response(await response.arrayBuffer(), { status, headers });
            };
          `),
        configuration: { ...connection, tools: [] },
      },
      async ({ app, widget }) => {
        await widget.input.waitFor();
        assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
        assert.match(await widget.ask('How much is a wheel class?'), /\d/);
        assert.equal(await widget.answers.count(), 2);
        assert.ok(!app.messages.some(({ type }) => type === 'error'));
      },
    ));

  it('is whole again after it was frozen in the middle of an answer', () =>
    withApp({}, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      const devTools = await page.context().newCDPSession(page);
      await widget.input.fill('When are you open on Friday?');
      await widget.input.press('Enter');
      await page.waitForFunction(() => document.querySelector('workspace-chat')!.busy);
      await devTools.send('Page.setWebLifecycleState', { state: 'frozen' });
      await devTools.send('Page.setWebLifecycleState', { state: 'active' });
      const { message } = await app.take('message');
      assert.match((message as { content: string }).content, /16:00/);
      await widget.settle();
      await widget.ask('Do you ship to Dubai?');
    }));

  it('keeps the words that came before the connection was cut, and asks again on demand', () =>
    withApp({}, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await widget.ask('Do you ship to Dubai?');
      const headers = { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' };
      const body = 'event: delta\ndata: {"text":"On Friday we "}\n\n';
      await page.route('**/chat', (route) => route.fulfill({ headers, body }), { times: 1 });
      await app.say('send', { text: 'When are you open on Friday?' });
      assert.equal((await app.take('error'))['code'], 'interrupted');
      await page.getByText('On Friday we').waitFor();
      await page.getByRole('button', { name: 'Ask again' }).click();
      await app.take('message', ({ message }) => /16:00/.test((message as { content: string }).content));
    }));

  it('has the question still when its process was ended in the middle of an answer', () =>
    withApp({ configuration: { ...connection, storage: 'native' } }, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await widget.ask('Do you ship to Dubai?');
      const { conversationId } = await widget.state();
      await page.route('**/chat', () => {}, { times: 1 });
      const asked = page.waitForRequest((request) => request.url().endsWith('/chat'));
      await app.say('send', { text: 'When are you open on Friday?' });
      await app.take('storage', ({ operation, value }) => operation === 'save' && /Friday/.test(String(value)));
      await asked;
      await page.reload();
      await widget.visitorMessages.nth(1).waitFor();
      assert.equal((await widget.state()).conversationId, conversationId);
      await page.getByRole('button', { name: 'Send again' }).click();
      await app.take('message', ({ message }) => /16:00/.test((message as { content: string }).content));
    }));

  it('keeps what there is when the connection was cut in the background, and asks again on demand', () =>
    withApp({ expected: [/net::ERR|answered/] }, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await widget.ask('Do you ship to Dubai?');
      await page.route('**/chat', (route) => route.abort('connectionreset'), { times: 1 });
      await widget.input.fill('When are you open on Friday?');
      await widget.input.press('Enter');
      const error = await app.take('error');
      assert.equal(error['code'], 'network');
      assert.equal(await widget.visitorMessages.count(), 2);
      await page.getByRole('button', { name: 'Send again' }).click();
      const { message } = await app.take('message', ({ message }) =>
        /16:00/.test((message as { content: string }).content),
      );
      assert.ok(message);
    }));

  it('waits while the phone is offline', () =>
    withApp({}, async ({ page, app, widget }) => {
      await widget.input.waitFor();
      await page.context().setOffline(true);
      await app.say('send', { text: 'When are you open on Friday?' });
      await widget.visitorMessages.first().waitFor();
      assert.ok(!app.messages.some(({ type }) => type === 'message'));
      await page.context().setOffline(false);
      await app.take('message');
    }));

  it('runs from a file of the app', () =>
    withApp({ url: pathToFileURL(join(folder, 'webview.html')).href }, async ({ widget }) => {
      await widget.input.waitFor();
      assert.match(await widget.ask('When are you open on Friday?'), /16:00/);
    }));

  describe('in an iframe', () => {
    /** A page that embeds the chat, and writes down what comes from it. */
    const host = (frame: string) => `<!doctype html><title>App</title><body><script>
      window.heard = [];
      addEventListener('message', ({ data, origin }) => heard.push({ origin, message: JSON.parse(data) }));
    </script><iframe style="width: 380px; height: 700px" src="${frame}"></iframe></body>`;

    const withHost = async (
      allowedOrigins: (own: string) => string[],
      visit: (page: Page, say: (type: string, fields?: object) => Promise<void>) => Promise<void>,
      more: object = {},
    ) => {
      const pages: Record<string, string> = {};
      const app = await servePages(pages, {});
      pages['/'] = host(
        `${server.url}/webview.html${fragmentOf({ allowedOrigins: allowedOrigins(app.url), ...more })}`,
      );
      const context = await newVisitor(browser);
      try {
        const page = await context.newPage();
        const warned: string[] = [];
        page.on('console', (message) => warned.push(message.text()));
        await page.goto(app.url);
        await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' });
        await visit(page, (type, fields = {}) =>
          page.evaluate(
            (json) => document.querySelector('iframe')!.contentWindow!.postMessage(json, '*'),
            JSON.stringify({ v: 1, type, ...fields }),
          ),
        );
        expectNoComplaints(context);
      } finally {
        await context.close();
        await app.close();
      }
    };

    it('talks to the page around it when that is allowed', () =>
      withHost(
        (own) => [own],
        async (page, say) => {
          await page.waitForFunction(`heard.some(({ message }) => message.type === 'ready')`);
          await say('configure', { configuration: connection });
          await page.waitForFunction(`heard.some(({ message }) => message.configured)`);
          await say('send', { text: 'When are you open on Friday?' });
          await page.waitForFunction(`heard.some(({ message }) => message.type === 'message')`);
          const origins: unknown = await page.evaluate(`[...new Set(heard.map(({ origin }) => origin))]`);
          assert.deepEqual(origins, [server.url]);
          await say('configure', { configuration: { allowedOrigins: ['https://evil.example'] } });
          await page.waitForFunction(`heard.some(({ message }) => /allowedOrigins/.test(message.detail))`);
        },
      ));

    it('neither hears nor tells a page that is not', () =>
      withHost(
        () => ['https://app.example'],
        async (page, say) => {
          const frame = page.frames()[1]!;
          const dropped = page.waitForEvent('console', (message) => /was dropped/.test(message.text()));
          await say('send', { text: 'When are you open on Friday?' });
          await dropped;
          await frame.getByRole('textbox', { name: 'Message' }).waitFor();
          assert.equal(await frame.locator('workspace-chat .message.visitor').count(), 0);
          // What it has to say has gone nowhere, its own answers included.
          await frame.getByRole('textbox', { name: 'Message' }).fill('When are you open on Friday?');
          await frame.getByRole('textbox', { name: 'Message' }).press('Enter');
          await frame.locator('workspace-chat .message.agent').waitFor();
          assert.deepEqual(await page.evaluate(`heard`), []);
        },
        connection,
      ));
  });
});
