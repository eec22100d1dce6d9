import type { Page } from '@playwright/test';
import { expect, fragmentOf, it as base } from './webview-fixtures.ts';

interface Host {
  page: Page;
  post(type: string, fields?: object): Promise<void>;
}

/** A page with the chat in an iframe. It keeps the messages that it receives from the frame. */
const hostPage = (frameUrl: string) => `<!doctype html><title>App</title><body><script>
  window.received = [];
  addEventListener('message', ({ data, origin }) => received.push({ origin, message: JSON.parse(data) }));
</script><iframe style="width: 380px; height: 700px" src="${frameUrl}"></iframe></body>`;

const it = base.extend<{ openHost(allowedOrigins: (own: string) => string[], more?: object): Promise<Host> }>({
  openHost: async ({ page, serve, webviewUrl }, use) => {
    await use(async (allowedOrigins, more = {}) => {
      const pages: Record<string, string> = {};
      const { url } = await serve(pages, {});
      pages['/'] = hostPage(webviewUrl + fragmentOf({ allowedOrigins: allowedOrigins(url), ...more }));
      await page.goto(url);
      await expect(page.frameLocator('iframe').locator('body')).toBeAttached();
      const post = (type: string, fields: object = {}) =>
        page.evaluate(
          (json) => document.querySelector('iframe')!.contentWindow!.postMessage(json, '*'),
          JSON.stringify({ v: 1, type, ...fields }),
        );
      return { page, post };
    });
  },
});

it.describe('the webview page in an iframe', () => {
  it('the page exchanges messages with an embedding page whose origin is allowed', async ({
    openHost,
    connection,
    webviewUrl,
  }) => {
    const { page, post } = await openHost((own) => [own]);
    await page.waitForFunction(`received.some(({ message }) => message.type === 'ready')`);
    await post('configure', { configuration: connection });
    await page.waitForFunction(`received.some(({ message }) => message.configured)`);
    await post('send', { text: 'When are you open on Friday?' });
    await page.waitForFunction(`received.some(({ message }) => message.type === 'message')`);
    const origins: unknown = await page.evaluate(`[...new Set(received.map(({ origin }) => origin))]`);
    expect(origins).toEqual([new URL(webviewUrl).origin]);
    await post('configure', { configuration: { allowedOrigins: ['https://evil.example'] } });
    await page.waitForFunction(`received.some(({ message }) => /allowedOrigins/.test(message.detail))`);
  });

  it('the page ignores an embedding page whose origin is not allowed, and posts nothing to it', async ({
    openHost,
    connection,
  }) => {
    const { page, post } = await openHost(() => ['https://app.example'], connection);
    const frame = page.frames()[1]!;
    const dropped = page.waitForEvent('console', (message) => /was dropped/.test(message.text()));
    await post('send', { text: 'When are you open on Friday?' });
    await dropped;
    await expect(frame.getByRole('textbox', { name: 'Message' })).toBeVisible();
    await frame.getByRole('textbox', { name: 'Message' }).fill('Do you ship to Dubai?');
    await frame.getByRole('textbox', { name: 'Message' }).press('Enter');
    await expect(frame.locator('workspace-chat .message.agent .text')).toHaveCount(1);
    await frame.waitForFunction(() => document.querySelector('workspace-chat')?.busy === false);
    // The frame posted its messages before this one.
    await frame.evaluate(`parent.postMessage(JSON.stringify({ type: 'last' }), '*')`);
    await page.waitForFunction(`received.some(({ message }) => message.type === 'last')`);
    expect(await page.evaluate(`received.map(({ message }) => message.type)`)).toEqual(['last']);
    await expect(frame.locator('workspace-chat .message.visitor .bubble')).toHaveText(['Do you ship to Dubai?']);
  });
});
