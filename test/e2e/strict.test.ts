import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Frame, Page } from 'playwright';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { createService, type Listening, type Service } from '../../service/service.ts';
import { buildCdn, servePages, sharedCdn, type Built, type PageServer } from '../support/servers/built-widget.ts';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { expectNoComplaints, newVisitor } from '../support/pages/visit.ts';

/** What a page of the worst kind does to everything on it. */
const hostileCss = `
  html { font-size: 62.5% !important }
  body * { all: unset !important }
  #trap { display: block !important; overflow: hidden !important; transform: rotate(4deg) scale(0.5) !important;
    filter: blur(1px) !important; inline-size: 80px !important; block-size: 40px !important; contain: strict !important }
  button, textarea, dialog, [popover] { color: lime !important; background: red !important; font: 40px cursive !important;
    position: fixed !important; inset: 0 !important; text-transform: uppercase !important; letter-spacing: 9px !important }`;

const pollution = `
  Array.prototype.remove = function () { throw new Error('Array.prototype was listed') };
  Object.prototype.extend = function () { throw new Error('Object.prototype was listed') };
  Object.prototype.inherited = 'by everything';`;

const watching = `
  window.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));`;

const places = {
  'at the top': null,
  'in a frame that may run scripts': 'allow-scripts',
  'in a frame with its own origin': 'allow-scripts allow-same-origin',
} as const;

describe('on the strictest page there is', () => {
  let browser: Browser;
  let service: Service;
  let api: Listening;
  let builds: Built[];
  const servers: PageServer[] = [];
  let offset = 0;

  before(async () => {
    browser = await launchBrowser();
    service = await createService({ chunkDelay: 5, now: () => Date.now() + offset });
    builds = [await sharedCdn(), await buildCdn({ minify: false })];
    api = await service.listen();
  });

  // The service counts a minute's calls by address, and all of these visitors have the same.
  beforeEach(() => {
    offset += 60_000;
  });

  after(async () => {
    await browser?.close();
    await Promise.all(servers.map((server) => server.close()));
    await service?.close();
    await Promise.all(builds?.map(({ remove }) => remove()) ?? []);
  });

  const element = () => {
    const { agentId, publishableKey } = service.demo;
    return `<workspace-chat base-url="${api.baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"></workspace-chat>`;
  };
  const start = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>';

  /** Two builds, each with its own copy of Lit. */
  const hostile = () => `${start}<head><style nonce="n">${hostileCss}</style>
    <script nonce="n">${watching}${pollution}</script>
    <script type="module" nonce="n" src="/one/workspace-chat.js"></script>
    <script type="module" nonce="n" src="/two/workspace-chat.js"></script></head>
    <body><div id="trap">${element()}</div></body></html>`;

  const calm = () => `${start}<script type="module" nonce="n" src="/one/workspace-chat.js"></script>${element()}`;

  const framing = (sandbox: string) => `${start}<head><style nonce="n">
    html, body, iframe { margin: 0; border: 0; padding: 0; block-size: 100%; inline-size: 100%; display: block }
    </style></head><body><iframe sandbox="${sandbox}" src="/hostile"></iframe></body></html>`;

  const headers = () => ({
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'nonce-n'",
      "style-src 'nonce-n'",
      `connect-src ${api.url}`,
      "frame-src 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types lit-html 'allow-duplicates'",
    ].join('; '),
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'cross-origin',
  });

  const frameOf = (page: Page): Frame => page.frames().at(-1)!;

  const settle = (frame: Frame) =>
    frame.waitForFunction(() => {
      const chat = document.querySelector('workspace-chat');
      return chat && !chat.busy;
    });

  const ask = async (frame: Frame, question: string): Promise<string> => {
    const answers = frame.locator('workspace-chat .message.agent .text');
    const before = await answers.count();
    const input = frame.getByRole('textbox', { name: 'Message' });
    await input.fill(question);
    await input.press('Enter');
    await answers.nth(before).waitFor();
    await settle(frame);
    return answers.nth(before).innerText();
  };

  /** What the visitor sees of the widget: sizes, places and colours. */
  const look = (frame: Frame) =>
    frame.locator('workspace-chat').evaluate((chat: WorkspaceChatElement) =>
      ['.launcher', '.panel', '.panel h2', 'textarea', '.send', '.message.agent .text', '.message.visitor .bubble'].map(
        (selector) => {
          const found = chat.shadowRoot!.querySelector(selector)!;
          const { x, y, width, height } = found.getBoundingClientRect();
          const { color, backgroundColor, fontFamily, fontSize, letterSpacing, textTransform } =
            getComputedStyle(found);
          const place = [x, y, width, height].map(Math.round);
          return { selector, place, color, backgroundColor, fontFamily, fontSize, letterSpacing, textTransform };
        },
      ),
    );

  const question = 'When are you open on Friday?';

  /** The same question on a page that does nothing to anyone. */
  const lookOnCalmPage = async (url: string) => {
    const context = await newVisitor(browser);
    const page = await context.newPage();
    await page.goto(`${url}/calm`);
    await page.locator('workspace-chat .launcher').click();
    await ask(page.mainFrame(), question);
    const seen = await look(page.mainFrame());
    await context.close();
    return seen;
  };

  const picture = async (page: Page, name: string): Promise<void> => {
    if (!process.env['SCREENSHOTS']) return;
    await mkdir(process.env['SCREENSHOTS'], { recursive: true });
    await page.screenshot({ path: `${process.env['SCREENSHOTS']}/strict-${name.replaceAll(' ', '-')}.png` });
  };

  for (const [place, sandbox] of Object.entries(places)) {
    it(`${place}, everything works, and looks as anywhere else`, async () => {
      const pages = { '/hostile': hostile(), '/calm': calm(), '/framed': framing(sandbox ?? '') };
      const server = await servePages(pages, { '/one/': builds[0]!.folder, '/two/': builds[1]!.folder }, headers());
      servers.push(server);
      const expected = await lookOnCalmPage(server.url);
      const context = await newVisitor(browser);
      const page = await context.newPage();
      await page.goto(server.url + (sandbox === null ? '/hostile' : '/framed'));
      const keepsWhatItStores = sandbox !== 'allow-scripts';

      const arrive = async (): Promise<Frame> => {
        const frame = frameOf(page);
        await frame.waitForFunction(() => customElements.get('workspace-chat'));
        await frame.evaluate(`document.querySelector('workspace-chat').registerTool({
          name: 'get_order_status',
          run: ({ order_number }) => ({ order_number, status: 'in the kiln', expected: 'next Thursday' }),
        })`);
        return frame;
      };

      let frame = await arrive();
      // A frame without an origin of its own is isolated from nobody.
      assert.equal(await frame.evaluate('crossOriginIsolated'), keepsWhatItStores);
      await frame.locator('workspace-chat .launcher').click();
      assert.match(await ask(frame, question), /16:00/);
      assert.deepEqual(await look(frame), expected);
      await picture(page, `${place} answer`);
      await frame.locator('workspace-chat [part~=sources]').first().waitFor();
      assert.match(await ask(frame, 'Where is my order 1042?'), /in the kiln/);
      await ask(frame, 'Do you sell coffee cups?');
      await frame.locator('workspace-chat [part~=product]').first().waitFor();
      await ask(frame, 'I would like to place a custom order');
      await frame.locator('workspace-chat [part~=form]').first().waitFor();
      await picture(page, `${place} blocks`);
      const conversation = () =>
        frame.locator('workspace-chat').evaluate(({ conversationId }: WorkspaceChatElement) => conversationId);
      const before = await conversation();
      assert.ok(before);

      assert.deepEqual(await frame.evaluate('violations'), []);
      await page.reload();
      frame = await arrive();
      if (!(await frame.getByRole('textbox', { name: 'Message' }).isVisible()) && !keepsWhatItStores)
        await frame.locator('workspace-chat .launcher').click();
      await frame.getByRole('textbox', { name: 'Message' }).waitFor();
      if (keepsWhatItStores) await frame.locator('workspace-chat .message.visitor').nth(3).waitFor();
      await ask(frame, 'Do you ship to Dubai?');
      assert.equal((await conversation()) === before, keepsWhatItStores);
      await picture(page, `${place} reloaded`);

      assert.deepEqual(await frame.evaluate('violations'), []);
      expectNoComplaints(context);
      await context.close();
    });
  }
});
