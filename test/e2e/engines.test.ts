/** What the widget must do in every browser engine, on the builds that sites use. */
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import type { Driver, Tab } from '../support/browsers/driver.ts';
import { engines, type Engine } from '../support/browsers/engines.ts';
import { EngineChat } from '../support/pages/engine-chat.ts';
import { poll } from '../support/poll.ts';

interface PageOptions {
  doctype?: string;
  language?: string;
  /** What is before the script tag. */
  markup?: string;
  /** Attributes of the script tag, in addition to the required ones. */
  attributes?: string;
  policy?: string;
}

const it = base.extend<{
  /** Opens a tab in a new browser of an engine. Skips the test where there is none. */
  openTab(engine: Engine): Promise<Tab>;
  /** Opens a page with the script tag in such a tab. */
  openChat(engine: Engine, options?: PageOptions): Promise<EngineChat>;
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
  openChat: async ({ openTab, serve, service, cdnBuild }, use) => {
    await use(async (engine, options = {}) => {
      const { doctype = '<!doctype html>', language = 'lang="en"', markup = '<p>Words</p>' } = options;
      const { attributes = '', policy } = options;
      const html = `${doctype}<html ${language}><meta charset="utf-8"><title>Page</title><body>${markup}
        <script async nonce="n" src="/cdn/embed.js" ${attributesOf(service.settings, 'data-')} ${attributes}></script>`;
      const headers = policy === undefined ? undefined : { 'content-security-policy': policy };
      const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder }, headers);
      const chat = new EngineChat(await openTab(engine));
      await chat.tab.goto(url);
      return chat;
    });
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
  it(`${engine} shows the messages above the composer on a page without a doctype`, async ({ openChat }) => {
    const chat = await openChat(engine, { doctype: '', attributes: 'data-mode="inline"' });
    await chat.ask(question);
    const [end, start] = await chat.tab.evaluate<number[]>(`(() => {
      const { shadowRoot } = document.querySelector('workspace-chat');
      const boxOf = (selector) => shadowRoot.querySelector(selector).getBoundingClientRect();
      return [boxOf('.scroller').bottom, boxOf('.composer').top];
    })()`);
    expect(end).toBeLessThanOrEqual(start! + 1);
  });

  it(`${engine} sends a message, renders the reply, and restores the transcript after a reload`, async ({
    openChat,
  }) => {
    const chat = await openChat(engine);
    await chat.tab.click({ name: 'Open chat' });
    expect(await chat.ask(question)).toMatch(/16:00/);
    const replies = await chat.texts('.message.agent .text');
    await chat.tab.reload();
    await poll(() => chat.texts('.message.visitor .bubble')).toEqual([question]);
    await poll(() => chat.texts('.message.agent .text')).toEqual(replies);
  });

  it(`${engine} runs a tool and shows a form on an Arabic page with a strict policy and Trusted Types`, async ({
    openChat,
    service,
  }) => {
    const policy = [
      "default-src 'none'",
      "script-src 'nonce-n' 'strict-dynamic'",
      `connect-src ${service.url}`,
      // The browser’s own request for an icon of the page.
      "img-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html 'allow-duplicates'",
    ].join('; ');
    const markup = `<script nonce="n">${recordViolations}${tool}</script><p>Words</p>`;
    const chat = await openChat(engine, { language: 'lang="ar" dir="rtl"', markup, policy });
    await chat.tab.click({ name: 'فتح المحادثة' });
    expect(await chat.ask('Where is my order 1042?')).toMatch(/in the kiln/);
    await chat.ask('أريد طلبًا خاصًا');
    await poll(() => chat.texts('[part~=form] button')).not.toEqual([]);
    const direction = `getComputedStyle(document.querySelector('workspace-chat').shadowRoot.querySelector('.panel')).direction`;
    await poll(() => chat.tab.evaluate(direction)).toBe('rtl');
    await poll(() => chat.tab.evaluate('violations')).toEqual([]);
  });

  it(`${engine} keeps the header in the panel after three replies, wherever the reader scrolls to`, async ({
    openChat,
  }) => {
    const chat = await openChat(engine, { attributes: 'data-open' });
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
    openChat,
  }) => {
    const markup = '<button class="help">Help</button>';
    const chat = await openChat(engine, { markup, attributes: 'data-launcher-selector=".help"' });
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
