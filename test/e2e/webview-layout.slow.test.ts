import { poll } from '../support/poll.ts';
import { expect, it } from './webview-fixtures.ts';

it.describe('the webview page on a phone', () => {
  it('the back message closes the menu first, and then asks the app to close the chat', async ({ openApp }) => {
    const { page, app, widget } = await openApp();
    await expect(widget.input).toBeVisible();
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await app.post('back');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await app.expectNone(({ type }) => type === 'close');
    await app.post('back');
    await app.take('close');
  });

  it('the close button appears on request, in the visitor’s language', async ({ openApp, connection }) => {
    const { page, app } = await openApp({ configuration: { ...connection, closeButton: true } });
    const close = page.getByRole('button', { name: 'Close chat' });
    const menu = page.getByRole('button', { name: 'Menu' });
    expect((await close.boundingBox())!.x, 'close comes last').toBeGreaterThan((await menu.boundingBox())!.x);
    await close.click();
    await app.take('close');
    await app.post('locale', { value: 'ar' });
    await expect(page.getByRole('button', { name: 'إغلاق المحادثة' })).toBeVisible();
    await app.post('configure', { configuration: { closeButton: false } });
    await expect(page.getByRole('button', { name: 'إغلاق المحادثة' })).toHaveCount(0);
  });

  it('a click on a link posts its URL to the app and does not navigate', async ({
    openApp,
    connection,
    webviewUrl,
  }) => {
    const { page, app, widget } = await openApp({
      configuration: {
        ...connection,
        strings: { privacyUrl: 'https://shop.example/privacy', privacyLabel: 'Privacy' },
      },
    });
    const pages = page.context().pages().length;
    await page.getByRole('link', { name: 'Privacy' }).click();
    expect((await app.take('open-link'))['url']).toBe('https://shop.example/privacy');
    await widget.ask('When are you open on Friday?');
    const link = page.locator('workspace-chat .message.agent a').first();
    await expect(link).toBeVisible();
    const url = await link.getAttribute('href');
    await link.click();
    expect((await app.take('open-link'))['url']).toBe(url);
    expect(page.context().pages().length).toBe(pages);
    expect(page.url()).toBe(webviewUrl);
    await app.expectNone(({ type }) => type === 'open-link');
  });

  it('a click on a link opens a new tab when there is no app', async ({ openApp, webviewUrl }) => {
    const { page, widget } = await openApp({ transport: null });
    await widget.ask('When are you open on Friday?');
    const link = page.locator('workspace-chat .message.agent a').first();
    await page.context().route(/shop\.example|palm/, (route) => route.fulfill({ body: 'A page of the shop' }));
    const [popup] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await popup.close();
    expect(page.url()).toBe(webviewUrl);
  });

  it('the insets of the app keep the edges free in both directions, and are applied once', async ({
    openApp,
    connection,
  }) => {
    const { page, app, widget } = await openApp({ configuration: { ...connection, insets: { top: 44 } } });
    await expect(widget.input).toBeVisible();
    await app.post('insets', { bottom: 300, left: 20 });
    const box = async (selector: string) => (await page.locator(`workspace-chat ${selector}`).boundingBox())!;
    const isInset = (side: string, value: string) =>
      page.waitForFunction(
        ([name, wanted]) => getComputedStyle(document.documentElement).getPropertyValue(name!) === wanted,
        [`--inset-${side}`, value],
      );
    await isInset('left', '20px');
    expect((await box('.header')).y).toBe(44);
    expect((await box('.header')).x).toBe(20);
    const footer = await box('.footer');
    expect(Math.abs(footer.y + footer.height - 480) < 1, `the footer ends at ${footer.y + footer.height}`).toBeTruthy();
    expect((await box('.panel')).height).toBe(780);
    await app.post('locale', { value: 'ar' });
    await expect(page.locator('workspace-chat .panel[dir=rtl]')).toBeVisible();
    expect((await box('.header')).x).toBe(20);
    await app.post('insets', { bottom: 0 });
    await isInset('bottom', '0px');
    const after = await box('.footer');
    expect(Math.abs(after.y + after.height - 780) < 1).toBeTruthy();
  });

  it('nothing around the composer scrolls', async ({ openApp }) => {
    const { page, widget } = await openApp();
    await expect(widget.input).toBeVisible();
    await widget.ask('I would like to place a custom order');
    await expect(page.locator('workspace-chat .message.agent input').first()).toBeVisible();
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
    expect(scrolling).toEqual([]);
  });

  it('the composer stays above a keyboard that covers the page', async ({ openApp, connection }) => {
    const { page, widget } = await openApp({ configuration: { ...connection, insets: { bottom: 300 } } });
    await expect(widget.input).toBeVisible();
    // On iOS, the keyboard shrinks and moves the visual viewport, and the layout viewport stays the same.
    await page.evaluate(`
        Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => 480 });
        Object.defineProperty(visualViewport, 'offsetTop', { configurable: true, get: () => 60 });
        visualViewport.dispatchEvent(new Event('resize'));
      `);
    const footer = page.locator('workspace-chat .footer');
    await expect(page.locator('html[data-keyboard]')).toBeVisible();
    const { y, height } = (await footer.boundingBox())!;
    expect(Math.abs(y + height - 540) < 1, `the footer ends at ${y + height}`).toBeTruthy();
  });

  it('the chat uses the color scheme, the language and the theme of the app', async ({ openApp, connection }) => {
    const { page, app, widget } = await openApp({ configuration: { ...connection, theme: { accent: '#aa0000' } } });
    await expect(widget.input).toBeVisible();
    /** Returns the color of the page, which is that of the panel. */
    const color = async () => {
      const [ofPage, ofPanel] = await page.evaluate(() => {
        const panel = document.querySelector('workspace-chat')!.shadowRoot!.querySelector('.panel')!;
        return [document.documentElement, panel].map((element) => getComputedStyle(element).backgroundColor);
      });
      expect(ofPage).toBe(ofPanel);
      return ofPage;
    };
    await app.post('colorScheme', { value: 'dark' });
    await expect(page.locator('html[data-color-scheme=dark]')).toBeVisible();
    // Tinted by the theme's accent.
    expect(await color()).toMatch(/^oklab\(0\.2/);
    await app.post('colorScheme', { value: 'light' });
    await expect(page.locator('html[data-color-scheme=light]')).toBeVisible();
    expect(await color()).toBe('rgb(255, 255, 255)');
    await app.post('locale', { value: 'ar-OM' });
    await expect(page.getByRole('textbox', { name: 'الرسالة' })).toBeVisible();
    await poll(() => page.evaluate(`[document.documentElement.lang, document.documentElement.dir]`)).toEqual([
      'ar-OM',
      'rtl',
    ]);
    await widget.input.fill('مرحبا');
    await poll(() => widget.sendButton.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
      'rgb(170, 0, 0)',
    );
  });

  it('the chat uses the language of the phone when the app sets none', async ({ openApp }) => {
    const { page } = await openApp({ context: { locale: 'ar-OM' } });
    await expect(page.getByRole('textbox', { name: 'الرسالة' })).toBeVisible();
  });
});
