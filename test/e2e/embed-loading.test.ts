import type { BrowserContextOptions } from '@playwright/test';
import { poll } from '../support/poll.ts';
import manifest from '../../package.json' with { type: 'json' };
import { expect, it, launcherOf, queueStub } from './embed-fixtures.ts';

it.describe('the script tag loads the widget', () => {
  const visitors: Record<string, BrowserContextOptions> = {
    'any visitor': {},
    'a browser in another language': { locale: 'de-AT' },
    'a dark system': { colorScheme: 'dark' },
    'forced colors and reduced motion': { forcedColors: 'active', reducedMotion: 'reduce' },
    'a phone': { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } },
  };
  for (const [visitor, context] of Object.entries(visitors))
    it(`a page that nobody clicks requests the same four files for ${visitor}`, async ({ visit, tag }) => {
      const { page, requested } = await visit(tag(), { context });
      await launcherOf(page).waitFor();
      const files = () => requested.flatMap((url) => /\/cdn\/(.*?)(?:-[\da-f]{6})?\.js$/.exec(url)?.[1] ?? []);
      await poll(files).toEqual(['embed', 'workspace-chat', 'chat', 'en']);
      await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
      expect(files().length).toBe(4);
    });

  it('a call of show loads the widget before data-delay has passed', async ({ visit, tag }) => {
    const { page, widget } = await visit(tag('data-delay="3600000"'));
    await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
    // Wait until the page has loaded and has been idle.
    await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await poll(() =>
      page.evaluate(`performance.getEntriesByName(new URL('/cdn/workspace-chat.js', location).href).length`),
    ).toBe(0);
    await page.evaluate(`WorkspaceChat('show')`);
    await expect(widget.input).toBeVisible();
  });

  for (const [what, before, more] of [
    ['data-delay', '', 'data-delay="3600000"'],
    [
      'the delay that the page has configured before the script has loaded',
      `${queueStub}<script>WorkspaceChat('configure', { delay: 3600000 })</script>`,
      '',
    ],
  ] as const)
    it(`the widget waits for ${what}`, async ({ visit, tag }) => {
      const { page } = await visit(before + tag(more), { prepare: (opened) => opened.clock.install() });
      await page.waitForFunction(`window.WorkspaceChat?.tag !== undefined`);
      await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
      await page.clock.fastForward('59:00');
      await expect(page.locator('workspace-chat')).toHaveCount(0);
      await page.clock.fastForward('02:00');
      await expect(page.locator('workspace-chat')).toBeAttached();
    });

  it('the widget loads after ten seconds when a picture of the page hangs', async ({ visit, tag }) => {
    // The page is never complete, and fires no `load`.
    const hang = `
      Object.defineProperty(document, 'readyState', { get: () => 'interactive' });
      addEventListener('load', (event) => event.stopImmediatePropagation(), true);`;
    const { page } = await visit(tag(), {
      async prepare(opened) {
        await opened.clock.install();
        await opened.addInitScript(hang);
      },
    });
    await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
    // The clock also passes by itself.
    await page.clock.pauseAt(new Date((await page.evaluate<number>('Date.now()')) + 1000));
    await page.clock.fastForward(5_000);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.clock.fastForward(5_000);
    await page.clock.resume();
    await expect(page.locator('workspace-chat')).toBeAttached();
  });

  it('a selector that is none causes no error at the clicks of the page, and one line when the widget has loaded', async ({
    visit,
    tag,
  }) => {
    const errors: string[] = [];
    const { page, logged } = await visit(
      `<button class="help">Help</button>${tag('data-delay="3600000" data-launcher-selector=".help[" ')}`,
      {
        allowedErrors: [/is not a CSS selector/],
        prepare: (opened) => opened.on('pageerror', ({ message }) => errors.push(message)),
      },
    );
    await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
    await page.locator('.help').click();
    expect(errors).toEqual([]);
    await page.evaluate(`WorkspaceChat('show')`);
    await poll(() => logged.filter((line) => line.includes('is not a CSS selector')).length).toBe(1);
  });

  it('a click on the site’s own button opens the chat, even before the widget has loaded', async ({ visit, tag }) => {
    const { page, widget } = await visit(
      `<button class="help">Help</button>${tag('data-delay="3600000" data-hide-launcher data-launcher-selector=".help"')}`,
    );
    await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.getByRole('button', { name: 'Help' }).click();
    await expect(widget.input).toBeVisible();
    await widget.input.press('Escape');
    await expect(widget.dialog).toBeHidden();
    await page.getByRole('button', { name: 'Help' }).click();
    await expect(widget.input).toBeVisible();
  });

  it('the chat appears only on the paths of data-only-on and data-not-on, also after a navigation in a single-page app', async ({
    visit,
    tag,
  }) => {
    const { page } = await visit(tag('data-only-on="/shop/*" data-not-on="/shop/cart"'), { path: '/checkout' });
    await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
    await page.evaluate(`new Promise((resolve) => requestIdleCallback(resolve))`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`history.pushState(null, '', '/shop/mugs')`);
    await expect(launcherOf(page)).toBeVisible();
    await page.evaluate(`history.pushState(null, '', '/shop/cart')`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`history.back()`);
    await expect(launcherOf(page)).toBeVisible();
  });

  it('configure updates the chat after a navigation in a browser without the Navigation API', async ({
    visit,
    tag,
  }) => {
    const { page } = await visit(tag('data-only-on="/shop/*"'), {
      path: '/shop/mugs',
      prepare: (page) => page.addInitScript(`Object.defineProperty(window, 'navigation', { value: undefined })`),
    });
    await expect(launcherOf(page)).toBeVisible();
    await page.evaluate(`history.pushState(null, '', '/checkout'); WorkspaceChat('configure')`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`WorkspaceChat('configure', { onlyOn: '/checkout' })`);
    await expect(launcherOf(page)).toBeVisible();
  });

  it('destroy removes the chat from the page, and configure creates it again with the same conversation', async ({
    visit,
    tag,
  }) => {
    const { page, widget } = await visit(tag('data-heading="First"'));
    await widget.open();
    await widget.ask('When are you open?');
    const { conversationId } = await widget.state();
    await page.evaluate(`
        window.calls = 0;
        WorkspaceChat('on', 'open', () => calls++);
        WorkspaceChat('destroy');
      `);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await page.evaluate(`history.pushState(null, '', '/other')`);
    await page.evaluate(`document.querySelector('p').click()`);
    await expect(page.locator('workspace-chat')).toHaveCount(0);

    await page.evaluate(
      `WorkspaceChat('configure', { heading: 'Second', open: true, starters: ['One', 'Two'], strings: { placeholder: 'Ask away' } })`,
    );
    await expect(page.getByRole('dialog', { name: 'Second' })).toBeVisible();
    await expect(widget.visitorMessages.first()).toBeVisible();
    await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
    await expect(widget.input).toHaveAttribute('placeholder', 'Ask away');
    await poll(() => page.evaluate('calls')).toBe(0);
    await page.evaluate(`WorkspaceChat('configure', { heading: 'Third' })`);
    await expect(page.getByRole('dialog', { name: 'Third' })).toBeVisible();
  });

  it('a tag manager can load the script without attributes and call configure later', async ({ service, visit }) => {
    const { page, widget } = await visit(`${queueStub}<script async src="/cdn/embed.js"></script>`, {
      allowedErrors: [/the script tag lacks/],
    });
    await page.waitForFunction(`WorkspaceChat.tag !== undefined`);
    const { agentId, publishableKey } = service.demo;
    await page.evaluate(
      `WorkspaceChat('configure', ${JSON.stringify({ baseUrl: service.baseUrl, agentId, publishableKey })})`,
    );
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
  });

  it('a page that a script writes anew has the chat of its own tag, with the same conversation', async ({
    visit,
    tag,
  }) => {
    const { page, widget, logged } = await visit(`${queueStub}${tag()}`);
    await widget.open();
    await widget.ask('When are you open on Friday?');
    for (const heading of ['Second', 'Third']) {
      await page.evaluate(
        (html) => {
          document.open();
          document.write(html);
          document.close();
        },
        `${queueStub}<script>WorkspaceChat('setDraft', '${heading}')</script>${tag(`data-heading="${heading}"`)}`,
      );
      await expect(widget.input).toHaveValue(heading);
      await page.evaluate(`WorkspaceChat('show')`);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await expect(widget.completeReplies.first()).toContainText('16:00');
    }
    await widget.ask('Do you ship to Dubai?');
    await expect(widget.completeReplies).toHaveCount(2);
    expect(logged.filter((text) => /^(warning|error) /.test(text))).toEqual([]);
  });

  it('a second script tag is ignored with a warning', async ({ visit, tag }) => {
    const { page, logged } = await visit(`${tag('data-heading="One"')}${tag('data-heading="Two" id="two"')}`);
    await expect(launcherOf(page)).toBeVisible();
    await page.waitForLoadState();
    await expect(page.locator('workspace-chat')).toHaveCount(1);
    expect(logged.filter((text) => /^warning .*ignores the second tag/.test(text)).length).toBe(1);
  });

  it('a second copy of another version is ignored with a warning, as a script tag and as a module', async ({
    visit,
    tag,
  }) => {
    const { page, logged } = await visit(tag(), {
      prepare: (page) =>
        page.route('**/other/*.js', async (route) => {
          const response = await route.fetch({ url: route.request().url().replace('/other/', '/cdn/') });
          await route.fulfill({ response, body: (await response.text()).replaceAll(manifest.version, '99.0.0') });
        }),
    });
    await expect(launcherOf(page)).toBeVisible();
    await page.evaluate(`{
      const { attributes } = document.querySelector('script[src*="/cdn/"]');
      const script = document.createElement('script');
      for (const { name, value } of attributes) script.setAttribute(name, value.replace('/cdn/', '/other/'));
      document.head.append(script);
    }`);
    await page.evaluate(`import('/other/workspace-chat.js')`);
    const warnings = () => logged.filter((text) => text.startsWith('warning '));
    await expect.poll(() => warnings().length).toBe(2);
    expect(warnings().join('\n')).toMatch(/ignores the second tag/);
    expect(warnings().join('\n')).toMatch(
      new RegExp(`has version ${manifest.version} already, and ignores 99\\.0\\.0`),
    );
    await expect(page.locator('workspace-chat')).toHaveCount(1);
  });

  it('a script tag without required attributes logs their names and sends nothing', async ({ visit }) => {
    const { logged, requested, server } = await visit(
      `<script async src="/cdn/embed.js" data-base-url="https://api.example/api/v2"></script>`,
      { allowedErrors: [/the script tag lacks/] },
    );
    await poll(() => logged).toEqual([
      "error workspace-chat: the script tag lacks data-publishable-key, data-agent-id. Nothing is loaded or sent. → type WorkspaceChat('doctor') for help",
    ]);
    expect(requested).toEqual([`${server.url}/`, `${server.url}/cdn/embed.js`]);
  });
});
