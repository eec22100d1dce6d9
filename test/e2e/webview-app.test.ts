import { poll } from '../support/poll.ts';
import { expect, it } from './webview-fixtures.ts';

it.describe('the webview page with an app', () => {
  it.describe('with tools of the app', () => {
    const tools = [{ name: 'get_order_status', confirm: 'May the app look up your order?' }];

    it('a tool of the app runs after the visitor’s consent, and its result reaches the agent', async ({
      openApp,
      connection,
    }) => {
      const { page, app, widget } = await openApp({ configuration: { ...connection, tools } });
      await widget.input.fill('Where is order number 1042?');
      await widget.sendButton.click();
      await expect(page.getByText('May the app look up your order?')).toBeVisible();
      await app.expectNone(({ type }) => type === 'tool');
      // The prompt ignores clicks in its first moments, because the visitor cannot have read it yet.
      const shownAt = await page.evaluate(() => performance.now());
      await page.waitForFunction((since) => performance.now() - since > 500, shownAt);
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      const call = await app.take('tool');
      expect(call['phase']).toBe('run');
      expect(call['name']).toBe('get_order_status');
      expect(call['arguments']).toEqual({ order_number: '1042' });
      await app.post('toolResult', {
        callId: call['callId'],
        ok: true,
        result: { order_number: '1042', status: 'on the van' },
      });
      const { message } = await app.take('message');
      expect((message as { content: string }).content).toMatch(/on the van/);
      // A second result for the same call is an error.
      await app.post('toolResult', { callId: call['callId'], ok: true });
      expect((await app.take('error'))['code']).toBe('not_waiting');
    });

    it('a list with an invalid tool is refused, and the previous list stays', async ({ openApp, connection }) => {
      const { app, widget } = await openApp({
        configuration: { ...connection, tools: [{ name: 'get_order_status' }] },
        // The console shows the app's error, and the agent learns only that the tool has failed.
        allowedErrors: [/a client tool failed/],
      });
      await expect(widget.input).toBeVisible();
      await app.post('configure', { configuration: { tools: [{ name: 'Order Status' }], heading: 'No' } });
      expect((await app.take('error'))['detail'] as string).toMatch(/snake_case name of its own/);
      await expect(widget.page.getByRole('heading', { name: 'No' })).toHaveCount(0);
      await app.post('send', { text: 'Where is order number 1042?' });
      const call = await app.take('tool');
      await app.post('toolResult', { callId: call['callId'], ok: false, error: 'no such order' });
      const { message } = await app.take('message');
      expect((message as { content: string }).content).not.toMatch(/no such order/);
    });
  });

  it.describe('with the app’s storage', () => {
    it('the conversation continues after a reload from the app’s storage, and the browser stores nothing', async ({
      openApp,
      connection,
    }) => {
      const { page, app, widget } = await openApp({ configuration: { ...connection, storage: 'native' } });
      await expect(widget.input).toBeVisible();
      expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
      const { conversationId } = await widget.state();
      await widget.waitUntilIdle();
      await poll(() => page.evaluate(`indexedDB.databases()`)).toEqual([]);
      const key = [connection.baseUrl, connection.publishableKey, connection.agentId, '2'].join(' ');
      expect([...app.stored.keys()].sort()).toEqual(['workspace-chat records', key].sort());
      expect(JSON.parse(app.stored.get('workspace-chat records')!)).toEqual([key]);

      await page.reload();
      await expect(widget.replies.first()).toBeVisible();
      await poll(async () => (await widget.state()).conversationId).toBe(conversationId);
      await widget.ask('Do you ship to Dubai?');
      await poll(async () => (await widget.state()).conversationId).toBe(conversationId);

      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'New conversation' }).click();
      await expect(widget.replies.first()).toHaveCount(0);
      const erased = await app.take(
        'storage',
        ({ operation, value }) =>
          operation === 'save' && /erasureCount/.test(String(value)) && !/startedAt/.test(String(value)),
      );
      expect(erased['key']).toBe(key);
      const tombstone = JSON.parse(app.stored.get(key)!) as object;
      expect(Object.keys(tombstone).sort()).toEqual(['erasureCount', 'version']);
    });

    it('the chat works in memory and reports one error when the app ignores storage requests', async ({
      openApp,
      connection,
    }) => {
      const { app, widget } = await openApp({
        configuration: { ...connection, storage: 'native' },
        respondsToStorage: false,
      });
      expect((await app.take('error'))['code']).toBe('storage_unavailable');
      expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
      await app.expectNone(({ type, code }) => type === 'error' && code === 'storage_unavailable');
    });
  });

  it('an identified visitor’s proof is sent, and logout removes the conversation', async ({ demo, openApp }) => {
    const { app, widget } = await openApp();
    const host = (path: string, init?: RequestInit) => fetch(new URL(`host/${path}`, demo.url), init);
    const cookie = (await host('session', { method: 'POST' })).headers.get('set-cookie')!.split(';')[0]!;
    const contact: unknown = await (await host('identity-token', { headers: { cookie } })).json();
    await expect(widget.input).toBeVisible();
    await app.post('identify', { contact });
    const sent = widget.page.waitForRequest(
      (request) => request.url().endsWith('/chat') && request.method() === 'POST',
    );
    await widget.ask('When are you open on Friday?');
    expect(((await sent).postDataJSON() as { contact: unknown }).contact).toEqual(contact);
    await app.post('logout');
    await expect(widget.replies.first()).toHaveCount(0);
    await poll(async () => (await widget.state()).conversationId).toBeNull();
  });
});
