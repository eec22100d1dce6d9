import type { Frame, Page } from '@playwright/test';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

/** CSS of a page that restyles every element on it. */
const hostileCss = `
  html { font-size: 62.5% !important }
  body * { all: unset !important }
  #trap { display: block !important; overflow: hidden !important; transform: rotate(4deg) scale(0.5) !important;
    filter: blur(1px) !important; inline-size: 80px !important; block-size: 40px !important; contain: strict !important }
  button, textarea, dialog, [popover] { color: lime !important; background: red !important; font: 40px cursive !important;
    position: fixed !important; inset: 0 !important; text-transform: uppercase !important; letter-spacing: 9px !important }`;

/** Adds enumerable members to prototypes that every object inherits. */
const pollution = `
  Array.prototype.remove = function () { throw new Error('Array.prototype was listed') };
  Object.prototype.extend = function () { throw new Error('Object.prototype was listed') };
  Object.prototype.inherited = 'by everything';`;

/** Keeps the violations of the page's Content Security Policy. */
const recordViolations = `
  window.violations = [];
  addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));`;

const places = {
  'at the top level': null,
  'in a frame that may run scripts': 'allow-scripts',
  'in a frame with its own origin': 'allow-scripts allow-same-origin',
} as const;

const start = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>';

/** A page with hostile CSS and polluted prototypes. */
const hostilePage = (scripts: string, element: string) => `${start}<head><style nonce="n">${hostileCss}</style>
  <script nonce="n">${recordViolations}${pollution}</script>
  ${scripts}</head>
  <body><div id="trap">${element}</div></body></html>`;

/** Two builds of the modules, each with its own copy of Lit. */
const moduleScripts = `<script type="module" nonce="n" src="/one/workspace-chat.js"></script>
  <script type="module" nonce="n" src="/two/workspace-chat.js"></script>`;

/** The whole widget in one classic script. */
const standaloneScript = '<script nonce="n" src="/standalone/standalone.js"></script>';

const plainPage = (element: string) =>
  `${start}<script type="module" nonce="n" src="/one/workspace-chat.js"></script>${element}`;

const framePage = (sandbox: string) => `${start}<head><style nonce="n">
  html, body, iframe { margin: 0; border: 0; padding: 0; block-size: 100%; inline-size: 100%; display: block }
  </style></head><body><iframe sandbox="${sandbox}" src="/hostile"></iframe></body></html>`;

const strictHeaders = (serviceUrl: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'nonce-n'",
    "style-src 'nonce-n'",
    `connect-src ${serviceUrl}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html 'allow-duplicates'",
  ].join('; '),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
});

const it = base.extend<{
  /** Serves pages with the element under the strict policy, and returns their origin. */
  serveStrictly(pages: (element: string) => Record<string, string>, folders: Record<string, string>): Promise<string>;
  /** Serves the pages of the modules and returns their origin. */
  openSite(sandbox: string): Promise<string>;
}>({
  serveStrictly: async ({ serve, service }, use) => {
    await use(async (pages, folders) => {
      const element = `<workspace-chat ${attributesOf(service.settings)}></workspace-chat>`;
      return (await serve(pages(element), folders, strictHeaders(service.url))).url;
    });
  },
  openSite: async ({ serveStrictly, cdnBuild, secondBuild }, use) => {
    await use((sandbox) =>
      serveStrictly(
        (element) => ({
          '/hostile': hostilePage(moduleScripts, element),
          '/plain': plainPage(element),
          '/framed': framePage(sandbox),
        }),
        { '/one/': cdnBuild.folder, '/two/': secondBuild.folder },
      ),
    );
  },
});

it.describe('on the strictest page', () => {
  const frameOf = (page: Page): Frame => page.frames().at(-1)!;

  const waitUntilIdle = (frame: Frame) =>
    frame.waitForFunction(() => {
      const chat = document.querySelector('workspace-chat');
      return chat && !chat.busy;
    });

  const ask = async (frame: Frame, question: string): Promise<string> => {
    const replies = frame.locator('workspace-chat .message.agent .text');
    const before = await replies.count();
    const input = frame.getByRole('textbox', { name: 'Message' });
    await input.fill(question);
    await input.press('Enter');
    await expect(replies.nth(before)).toBeVisible();
    await waitUntilIdle(frame);
    // Only complete messages have a line with the time.
    await expect(frame.locator('workspace-chat .message.agent:has(.text):has(.meta)')).toHaveCount(before + 1);
    return replies.nth(before).innerText();
  };

  const parts = [
    '.launcher',
    '.panel',
    '.panel h2',
    'textarea',
    '.send',
    '.message.agent .text',
    '.message.visitor .bubble',
  ];

  /** Returns the sizes, positions, colors and fonts of the widget's parts, once the reply and its sources are in place. */
  const look = async (frame: Frame) => {
    await expect(frame.locator('workspace-chat [part~=sources]').first()).toBeVisible();
    return frame.locator('workspace-chat').evaluate(async (chat: WorkspaceChatElement, selectors) => {
      const root = chat.shadowRoot!;
      await Promise.allSettled(root.getAnimations().map(({ finished }) => finished));
      // The transcript follows its end in the next frame.
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      return selectors.map((selector) => {
        const found = root.querySelector(selector)!;
        const { x, y, width, height } = found.getBoundingClientRect();
        const { color, backgroundColor, fontFamily, fontSize, letterSpacing, textTransform } = getComputedStyle(found);
        const place = [x, y, width, height].map(Math.round);
        return { selector, place, color, backgroundColor, fontFamily, fontSize, letterSpacing, textTransform };
      });
    }, parts);
  };

  const question = 'When are you open on Friday?';

  /** Registers the shop's tool, once the element is defined. */
  const offerTool = async (frame: Frame): Promise<void> => {
    await frame.waitForFunction(() => customElements.get('workspace-chat'));
    await frame.evaluate(`document.querySelector('workspace-chat').registerTool({
      name: 'get_order_status',
      run: ({ order_number }) => ({ order_number, status: 'in the kiln', expected: 'next Thursday' }),
    })`);
  };

  /** Has a conversation with sources, a tool, products and a form. */
  const converse = async (frame: Frame): Promise<void> => {
    expect(await ask(frame, question)).toMatch(/16:00/);
    await expect(frame.locator('workspace-chat [part~=sources]').first()).toBeVisible();
    expect(await ask(frame, 'Where is my order 1042?')).toMatch(/in the kiln/);
    await ask(frame, 'Do you sell coffee cups?');
    await expect(frame.locator('workspace-chat [part~=product]').first()).toBeVisible();
    await ask(frame, 'I would like to place a custom order');
    await expect(frame.locator('workspace-chat [part~=form]').first()).toBeVisible();
  };

  const conversationOf = (frame: Frame) =>
    frame.locator('workspace-chat').evaluate(({ conversationId }: WorkspaceChatElement) => conversationId);

  /** Asks the question on a page without hostile code, and returns how the widget looks there. */
  const lookOf = async (page: Page, url: string) => {
    await page.goto(url);
    await page.locator('workspace-chat .launcher').click();
    await ask(page.mainFrame(), question);
    return look(page.mainFrame());
  };

  for (const [place, sandbox] of Object.entries(places)) {
    const title = `everything works and looks the same ${place} of a page with hostile CSS, polluted prototypes and a strict policy`;
    it(title, { tag: sandbox === null ? [] : '@slow' }, async ({ page, newPage, openSite }) => {
      const url = await openSite(sandbox ?? '');
      const expected = await lookOf(await newPage(), `${url}/plain`);
      await page.goto(url + (sandbox === null ? '/hostile' : '/framed'));
      const hasOrigin = sandbox !== 'allow-scripts';

      let frame = frameOf(page);
      await offerTool(frame);
      // A frame with an opaque origin cannot be cross-origin isolated.
      await poll(() => frame.evaluate('crossOriginIsolated')).toBe(hasOrigin);
      await frame.locator('workspace-chat .launcher').click();
      await ask(frame, question);
      expect(await look(frame)).toEqual(expected);
      await converse(frame);
      const before = await conversationOf(frame);
      expect(before).toBeTruthy();

      await poll(() => frame.evaluate('violations')).toEqual([]);
      await page.reload();
      frame = frameOf(page);
      await offerTool(frame);
      if (!(await frame.getByRole('textbox', { name: 'Message' }).isVisible()) && !hasOrigin)
        await frame.locator('workspace-chat .launcher').click();
      await expect(frame.getByRole('textbox', { name: 'Message' })).toBeVisible();
      if (hasOrigin) await expect(frame.locator('workspace-chat .message.visitor').nth(4)).toBeVisible();
      await ask(frame, 'Do you ship to Dubai?');
      expect((await conversationOf(frame)) === before).toBe(hasOrigin);

      await poll(() => frame.evaluate('violations')).toEqual([]);
    });
  }

  it('the standalone script works and looks the same on a page with hostile CSS, polluted prototypes and a strict policy', async ({
    page,
    newPage,
    serveStrictly,
    standaloneBuild,
  }) => {
    const url = await serveStrictly(
      (element) => ({
        '/hostile': hostilePage(standaloneScript, element),
        '/plain': `${start}${standaloneScript}${element}`,
      }),
      { '/standalone/': standaloneBuild.folder },
    );
    const expected = await lookOf(await newPage(), `${url}/plain`);
    await page.goto(`${url}/hostile`);
    const frame = page.mainFrame();
    await offerTool(frame);
    await frame.locator('workspace-chat .launcher').click();
    await ask(frame, question);
    expect(await look(frame)).toEqual(expected);
    await converse(frame);
    await poll(() => frame.evaluate('violations')).toEqual([]);
  });
});
