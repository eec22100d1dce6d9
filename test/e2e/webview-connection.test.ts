import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { poll } from '../support/poll.ts';
import { expect, it } from './webview-fixtures.ts';

it.describe('the webview page on a bad connection', () => {
  it('the reply is complete after the page was frozen while it streamed', async ({ openApp }) => {
    const { page, app, widget } = await openApp();
    await expect(widget.input).toBeVisible();
    const devTools = await page.context().newCDPSession(page);
    await widget.input.fill('When are you open on Friday?');
    await widget.sendButton.click();
    // The reply may be complete before a poll has seen that the chat is busy.
    await expect(widget.visitorMessages).toHaveCount(1);
    await devTools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await devTools.send('Page.setWebLifecycleState', { state: 'active' });
    const { message } = await app.take('message');
    expect((message as { content: string }).content).toMatch(/16:00/);
    await widget.waitUntilIdle();
    await widget.ask('Do you ship to Dubai?');
  });

  it('the question is restored when the process ended before the reply, and Send again repeats it', async ({
    openApp,
    connection,
  }) => {
    const { page, app, widget } = await openApp({ configuration: { ...connection, storage: 'native' } });
    await expect(widget.input).toBeVisible();
    await widget.ask('Do you ship to Dubai?');
    const { conversationId } = await widget.state();
    await page.route('**/chat', () => {}, { times: 1 });
    const asked = page.waitForRequest((request) => request.url().endsWith('/chat'));
    await app.post('send', { text: 'When are you open on Friday?' });
    await app.take('storage', ({ operation, value }) => operation === 'save' && /Friday/.test(String(value)));
    await asked;
    await page.reload();
    await expect(widget.visitorMessages.nth(1)).toBeVisible();
    await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
    await page.getByRole('button', { name: 'Send again' }).click();
    await app.take('message', ({ message }) => /16:00/.test((message as { content: string }).content));
  });

  it('the page works when it is opened from a file of the app', async ({ openApp, webviewBuild }) => {
    const { widget } = await openApp({ url: pathToFileURL(join(webviewBuild.folder, 'webview.html')).href });
    await expect(widget.input).toBeVisible();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
  });
});
