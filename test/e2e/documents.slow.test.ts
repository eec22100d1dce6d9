import { attributesOf, expect, it } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';

const script = '<script type="module" src="/cdn/workspace-chat.js"></script>';

/** A script that removes members of the browser. */
const without = (members: string): string =>
  members
    .split(' ')
    .map((member) => `delete ${member};`)
    .join('');

/** What all of these browsers lack. */
const common = without(
  'URL.parse Promise.try Element.prototype.ariaNotify Document.prototype.ariaNotify Element.prototype.currentCSSZoom window.navigation window.scheduler',
);

/** What each one lacks beside that, as a script that runs before the page's. */
const profiles = {
  'Chrome 114': `
    const { supports } = CSS;
    CSS.supports = (...args) => !/light-dark|state\\(|field-sizing|from /.test(args.join(' ')) && supports.apply(CSS, args);
    const { add } = CustomStateSet.prototype;
    CustomStateSet.prototype.add = function (state) {
      if (!state.startsWith('--')) throw new DOMException('The state has no dashes.', 'SyntaxError');
      return add.call(this, state);
    };
    const { matches } = Element.prototype;
    Element.prototype.matches = function (selector) {
      if (/:dir\\(|:state\\(/.test(selector)) throw new DOMException(selector, 'SyntaxError');
      return matches.call(this, selector);
    };
    ${without('AbortSignal.any URL.canParse Promise.withResolvers Object.groupBy Array.fromAsync')}`,
  'Safari 17': `
    const { supports } = CSS;
    CSS.supports = (...args) => !/light-dark|state\\(|field-sizing|from /.test(args.join(' ')) && supports.apply(CSS, args);
    Object.defineProperty(ElementInternals.prototype, 'states', { value: undefined });
    ${without('AbortSignal.any Promise.withResolvers Object.groupBy Array.fromAsync window.requestIdleCallback')}`,
  'Firefox 125': `
    const { supports } = CSS;
    CSS.supports = (...args) => !/state\\(|field-sizing|from /.test(args.join(' ')) && supports.apply(CSS, args);
    Object.defineProperty(ElementInternals.prototype, 'states', { value: undefined });`,
} as const;

it.describe('on unusual documents', () => {
  for (const zoom of [1.25, 2])
    it(`the open panel stays on the screen of a phone whose page has the CSS zoom ${zoom}`, async ({
      newPage,
      serve,
      cdnBuild,
      service,
    }) => {
      const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title>
        <meta name="viewport" content="width=device-width"><body style="zoom: ${zoom}">${script}
        <workspace-chat ${attributesOf(service.settings)}></workspace-chat>`;
      const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
      for (const viewport of [
        { width: 390, height: 700 },
        { width: 1000, height: 700 },
      ]) {
        const page = await newPage({ viewport });
        await page.goto(url);
        const widget = new Widget(page);
        await widget.open();
        // While it opens, the panel moves.
        await page
          .locator('workspace-chat .panel')
          .evaluate((panel) => Promise.all(panel.getAnimations().map(({ finished }) => finished)));
        for (const part of ['.panel', 'workspace-chat-composer']) {
          const box = (await page.locator(`workspace-chat ${part}`).boundingBox())!;
          expect(box.x, part).toBeGreaterThanOrEqual(0);
          expect(box.y, part).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width, part).toBeLessThanOrEqual(viewport.width);
          expect(box.y + box.height, part).toBeLessThanOrEqual(viewport.height);
        }
      }
    });

  it('an XHTML document gets an inert element and one sentence in the console', async ({
    newPage,
    serve,
    cdnBuild,
  }) => {
    const html = `<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>Page</title></head><body>
      <script src="/cdn/embed.js" data-base-url="https://api.example/api/v2" data-publishable-key="svc_pk_x" data-agent-id="agt_1"></script>
      </body></html>`;
    const { url } = await serve({}, { '/cdn/': cdnBuild.folder });
    const page = await newPage();
    await page.route(`${url}/page.xhtml`, (route) =>
      route.fulfill({ contentType: 'application/xhtml+xml', body: html }),
    );
    const notes: string[] = [];
    page.on('console', (message) => notes.push(message.text()));
    await page.goto(`${url}/page.xhtml`);
    await page.waitForFunction(`Boolean(customElements.get('workspace-chat'))`);
    expect(await page.evaluate(`WorkspaceChat('send', 'Hello')`)).toBeNull();
    expect(notes).toEqual([
      'workspace-chat: there is no chat. It needs Chrome 114, Safari 17 or Firefox 125, and an HTML document.',
    ]);
  });

  for (const [name, initScript] of Object.entries(profiles))
    it(`the chat works without the features that ${name} lacks`, async ({ newPage, serve, cdnBuild, service }) => {
      const html = `<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8"><title>Page</title>${script}
        <workspace-chat ${attributesOf(service.settings)} locale="en"></workspace-chat>`;
      const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
      const page = await newPage();
      await page.addInitScript(common + initScript);
      await page.goto(url);
      const widget = new Widget(page);
      await widget.open();
      expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
      const colors = await page.locator('workspace-chat .panel').evaluate((panel) => {
        const { color, backgroundColor } = getComputedStyle(panel);
        return { color, backgroundColor };
      });
      expect(colors).toEqual({ color: 'rgb(26, 28, 34)', backgroundColor: 'rgb(255, 255, 255)' });
      await page.reload();
      await expect(widget.replies.first()).toBeVisible();
    });

  for (const feature of ['HTMLElement.prototype.showPopover', 'HTMLElement.prototype.attachInternals'])
    it(`without ${feature} the element is inert, and the page’s calls do nothing`, async ({
      newPage,
      serve,
      cdnBuild,
    }) => {
      const html = `<!doctype html><html lang="en"><title>Page</title>
        <script>window.WorkspaceChat = function () { (WorkspaceChat.q ??= []).push(arguments) }; WorkspaceChat('show');</script>
        <script async src="/cdn/embed.js" data-base-url="https://api.example/api/v2" data-publishable-key="svc_pk_x" data-agent-id="agt_1"></script>
        <body></body></html>`;
      const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
      const page = await newPage();
      const notes: string[] = [];
      page.on('console', (message) => notes.push(message.text()));
      await page.addInitScript(`delete ${feature}`);
      await page.goto(url);
      await expect(page.locator('workspace-chat')).toBeAttached();
      expect(await page.evaluate(`document.querySelector('workspace-chat').shadowRoot`)).toBeNull();
      await page.evaluate(`customElements.whenDefined('workspace-chat').then(() => {})`);
      expect(await page.evaluate(`WorkspaceChat('send', 'Hello')`)).toBeNull();
      expect(notes).toEqual([expect.stringMatching(/there is no chat/)]);
    });
});
