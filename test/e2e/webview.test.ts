import { transports, type TransportName } from '../support/pages/app.ts';
import { poll } from '../support/poll.ts';
import { expect, fragmentOf, it, phone } from './webview-fixtures.ts';

it.describe('the webview page', () => {
  const names = Object.keys(transports) as TransportName[];
  for (const transport of names) {
    const title = `the page receives its configuration and messages over ${transport}, and posts the reply`;
    it(title, { tag: transport === names[0] ? [] : '@slow' }, async ({ openApp, connection }) => {
      const { app, widget } = await openApp({ transport, configuration: null });
      expect(await app.take('ready')).toEqual({ v: 1, type: 'ready', configured: false });
      await app.post('configure', { configuration: { ...connection, heading: 'Help' } });
      expect((await app.take('ready'))['configured']).toBe(true);
      await expect(widget.page.getByRole('heading', { name: 'Help' })).toBeVisible();
      await app.post('send', { text: 'When are you open on Friday?' });
      const { message } = await app.take('message');
      expect((message as { content: string }).content).toMatch(/16:00/);
      await expect(widget.visitorMessages).toHaveCount(1);
    });
  }

  it('an injected configuration wins over the fragment, both are removed from the page, and the query is never read', async ({
    openApp,
    connection,
    webviewUrl,
  }) => {
    const { page, app } = await openApp({
      configuration: { ...connection, heading: 'Injected' },
      url: `${webviewUrl}?locale=ar&heading=Query${fragmentOf({ heading: 'Fragment', greeting: 'Hello there' })}`,
    });
    await app.take('ready', ({ configured }) => configured === true);
    await expect(page.getByRole('heading', { name: 'Injected' })).toBeVisible();
    await expect(page.getByText('Hello there')).toBeVisible();
    await poll(() => page.evaluate(`'workspaceChatConfig' in window`)).toBe(false);
    expect(page.url()).toBe(`${webviewUrl}?locale=ar&heading=Query`);
  });

  it('an invalid message is reported as an error and changes nothing', async ({ openApp }) => {
    const { page, app, widget } = await openApp();
    await app.take('ready', ({ configured }) => configured === true);
    await expect(widget.input).toBeVisible();
    const before = await page.evaluate(`document.documentElement.outerHTML`);
    const said: [unknown, string, RegExp][] = [
      ['{', 'invalid_json', /one JSON object/],
      ['[1]', 'invalid_json', /one JSON object/],
      [{ v: 1, type: 'send', text: 'Hi' }, 'invalid_json', /must be a string/],
      ['{"type":"send","text":"Hi"}', 'unsupported_version', /“v” must be 1/],
      ['{"v":2,"type":"send","text":"Hi"}', 'unsupported_version', /“v” must be 1/],
      ['{"v":1,"type":"toString"}', 'unknown_type', /configure, identify/],
      ['{"v":1,"type":"insets","top":-1}', 'invalid_field', /“top” must be a number of CSS pixels/],
      ['{"v":1,"type":"configure","configuration":{"storage":"native"}}', 'invalid_field', /cannot change/],
      ['{"v":1,"type":"toolResult","callId":"c","ok":true}', 'not_waiting', /call “c”/],
      ['{"v":1,"type":"storage","id":"s9"}', 'not_waiting', /request “s9”/],
    ];
    for (const [json, code, detail] of said) {
      await app.postRaw(json);
      const error = await app.take('error');
      expect(error['code'], JSON.stringify(json)).toBe(code);
      expect(error['detail'] as string).toMatch(detail);
    }
    await poll(() => page.evaluate(`document.documentElement.outerHTML`)).toBe(before);
    await expect(widget.visitorMessages).toHaveCount(0);
    expect(app.messages).toEqual([]);
  });

  it('an invalid configuration and a message before the configuration are reported as errors, and a right one is used', async ({
    openApp,
    connection,
  }) => {
    const { app, widget } = await openApp({ configuration: { ...connection, publishableKey: 'svc_sk_1' } });
    expect((await app.take('error'))['detail'] as string).toMatch(/workspaceChatConfig: “publishableKey” must be/);
    expect((await app.take('ready'))['configured']).toBe(false);
    await app.post('send', { text: 'Hello' });
    expect((await app.take('error'))['code']).toBe('not_configured');
    await app.post('back');
    await app.take('close');
    await app.post('configure', { configuration: connection });
    await expect(widget.input).toBeVisible();
  });

  it('the chat fills the screen and has no launcher', async ({ openApp }) => {
    const { page, widget } = await openApp();
    await expect(widget.input).toBeVisible();
    await expect(page.locator('workspace-chat')).toHaveAttribute('mode', 'fullscreen');
    expect(await page.locator('workspace-chat .panel').boundingBox()).toEqual({ x: 0, y: 0, ...phone.viewport });
    await expect(page.locator('workspace-chat .launcher')).toHaveCount(0);
  });

  it('the page asks for a haptic signal when a message is sent, replied to, or has failed', async ({ openApp }) => {
    const { page, app, widget } = await openApp({ allowedErrors: [/net::ERR/] });
    await expect(widget.input).toBeVisible();
    await widget.ask('When are you open on Friday?');
    expect((await app.take('haptic'))['kind']).toBe('light');
    expect((await app.take('haptic'))['kind']).toBe('success');
    await page.route('**/chat', (route) => route.abort('connectionreset'));
    await app.post('send', { text: 'Do you ship to Dubai?' });
    expect((await app.take('haptic'))['kind']).toBe('light');
    expect((await app.take('haptic'))['kind']).toBe('error');
  });

  it('a reply to a hidden page counts as unread and asks for no haptic signal', async ({ openApp }) => {
    const { page, app, widget } = await openApp();
    await expect(widget.input).toBeVisible();
    await page.evaluate(`
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.isHidden === true });
        window.isHidden = true;
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await app.post('send', { text: 'When are you open on Friday?' });
    expect((await app.take('unread'))['count']).toBe(1);
    await app.expectNone(({ type }) => type === 'haptic');
    await page.evaluate(`window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))`);
    expect((await app.take('unread'))['count']).toBe(0);
  });
});
