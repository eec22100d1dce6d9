/** What the widget must do in every browser engine, on the builds that sites use. */
import { expect, it as base } from '../support/fixtures.ts';
import type { Driver, Tab } from '../support/browsers/driver.ts';
import { engines, type Engine } from '../support/browsers/engines.ts';
import { EngineChat } from '../support/pages/engine-chat.ts';
import { poll } from '../support/poll.ts';

const it = base.extend<{
  /** Opens a tab in a new browser of an engine. Skips the test where there is none. */
  openTab(engine: Engine): Promise<Tab>;
  /** The attributes of the script tag. */
  attributes: string;
}>({
  openTab: async ({ serve: _serve }, use, testInfo) => {
    const drivers: Driver[] = [];
    await use(async (engine) => {
      const driver = await engines[engine]();
      testInfo.skip(driver === null, `${engine} is not installed, and installing it needs root and apt.`);
      drivers.push(driver!);
      return driver!.openTab();
    });
    for (const driver of drivers) await driver.close();
  },
  attributes: async ({ service }, use) => {
    const { baseUrl, publishableKey, agentId } = service.settings;
    await use(`data-base-url="${baseUrl}" data-publishable-key="${publishableKey}" data-agent-id="${agentId}"`);
  },
});

const question = 'When are you open on Friday?';

/** A tool of the page, in the queue of the script tag. */
const tool = `window.WorkspaceChat ??= (...a) => { (WorkspaceChat.q ??= []).push(a); };
  WorkspaceChat('registerTool', {
    name: 'get_order_status',
    run: ({ order_number }) => ({ order_number, status: 'in the kiln', expected: 'next Thursday' }),
  });`;

const recordViolations = `window.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));`;

for (const engine of Object.keys(engines) as Engine[]) {
  it(`${engine} sends a message, renders the reply, and restores the transcript after a reload`, async ({
    openTab,
    attributes,
    serve,
    cdnBuild,
  }) => {
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body><p>Words</p>
      <script async src="/cdn/embed.js" ${attributes}></script>`;
    const { url } = await serve({ '/': page }, { '/cdn/': cdnBuild.folder });
    const chat = new EngineChat(await openTab(engine));
    await chat.tab.goto(url);
    await chat.tab.click({ name: 'Open chat' });
    expect(await chat.ask(question)).toMatch(/16:00/);
    const replies = await chat.texts('.message.agent .text');
    await chat.tab.reload();
    await poll(() => chat.texts('.message.visitor .bubble')).toEqual([question]);
    await poll(() => chat.texts('.message.agent .text')).toEqual(replies);
  });

  it(`${engine} runs a tool and shows a form on an Arabic page with a strict policy and Trusted Types`, async ({
    openTab,
    attributes,
    serve,
    service,
    cdnBuild,
  }) => {
    const page = `<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8"><title>Page</title>
      <script nonce="n">${recordViolations}${tool}</script><body><p>Words</p>
      <script async nonce="n" src="/cdn/embed.js" ${attributes}></script>`;
    const policy = [
      "default-src 'none'",
      "script-src 'nonce-n' 'strict-dynamic'",
      `connect-src ${service.url}`,
      // The browser’s own request for an icon of the page.
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html 'allow-duplicates'",
    ].join('; ');
    const { url } = await serve({ '/': page }, { '/cdn/': cdnBuild.folder }, { 'content-security-policy': policy });
    const chat = new EngineChat(await openTab(engine));
    await chat.tab.goto(url);
    await chat.tab.click({ name: 'فتح المحادثة' });
    expect(await chat.ask('Where is my order 1042?')).toMatch(/in the kiln/);
    await chat.ask('أريد طلبًا خاصًا');
    await poll(() => chat.texts('[part~=form] button')).not.toEqual([]);
    const direction = `getComputedStyle(document.querySelector('workspace-chat').shadowRoot.querySelector('.panel')).direction`;
    await poll(() => chat.tab.evaluate(direction)).toBe('rtl');
    await poll(() => chat.tab.evaluate('violations')).toEqual([]);
  });

  it(`${engine} keeps the header in the panel after three replies, wherever the reader scrolls to`, async ({
    openTab,
    attributes,
    serve,
    cdnBuild,
  }) => {
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body>
      <script async src="/cdn/embed.js" ${attributes} data-open></script>`;
    const { url } = await serve({ '/': page }, { '/cdn/': cdnBuild.folder });
    const chat = new EngineChat(await openTab(engine));
    await chat.tab.goto(url);
    for (let count = 0; count < 3; count++) await chat.ask(question);
    const measured = await chat.tab.evaluate<{ scrolls: number; moved: number; outside: number }>(`(() => {
      const root = document.querySelector('workspace-chat').shadowRoot;
      const [panel, header] = ['.panel', '.header'].map((selector) => root.querySelector(selector));
      const top = header.getBoundingClientRect().top;
      let moved = 0;
      for (const element of root.querySelectorAll('.message, .bubble, .visually-hidden')) {
        element.scrollIntoView();
        moved = Math.max(moved, Math.abs(header.getBoundingClientRect().top - top));
      }
      const outside = [...root.querySelectorAll('.messages .visually-hidden')].filter((hidden) => {
        const { top, bottom } = hidden.getBoundingClientRect();
        const box = hidden.closest('workspace-chat-message, .message').getBoundingClientRect();
        return top < box.top - 1 || bottom > box.bottom + 1;
      });
      return { scrolls: panel.scrollHeight - panel.clientHeight, moved, outside: outside.length };
    })()`);
    expect(measured).toEqual({ scrolls: 0, moved: 0, outside: 0 });
  });

  it(`${engine} moves the focus into the composer when the chat opens, and back to its opener with Escape`, async ({
    openTab,
    attributes,
    serve,
    cdnBuild,
  }) => {
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
      <body><button class="help">Help</button>
      <script async src="/cdn/embed.js" ${attributes} data-launcher-selector=".help"></script>`;
    const { url } = await serve({ '/': page }, { '/cdn/': cdnBuild.folder });
    const chat = new EngineChat(await openTab(engine));
    await chat.tab.goto(url);
    await poll(() => chat.tab.evaluate(`customElements.get('workspace-chat') !== undefined`)).toBe(true);
    await chat.tab.click({ name: 'Help' });
    await poll(() => chat.focused()).toBe('Message');
    await chat.ask(question);
    // A reply that arrives does not move the focus.
    expect(await chat.focused()).toBe('Message');
    await chat.tab.type('textarea', '\x1b');
    await poll(() => chat.focused()).toBe('button');
    await poll(() => chat.tab.evaluate(`document.querySelector('workspace-chat').open`)).toBe(false);
  });

  it(`${engine} shows the webview’s page, whose chat replies`, async ({ openTab, serve, service, webviewBuild }) => {
    const { url } = await serve({}, { '/': `${webviewBuild.folder}/` });
    const configuration = encodeURIComponent(JSON.stringify(service.settings));
    const chat = new EngineChat(await openTab(engine));
    await chat.tab.goto(`${url}/webview.html#workspaceChatConfig=${configuration}`);
    expect(await chat.ask(question)).toMatch(/16:00/);
  });
}
