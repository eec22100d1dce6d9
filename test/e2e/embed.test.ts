import { readFile } from 'node:fs/promises';
import { poll } from '../support/poll.ts';
import { expect, it, launcherOf, queueStub } from './embed-fixtures.ts';

it.describe('the script tag', () => {
  it('the script tag creates a working chat, and passes every data attribute on', async ({ visit, tag }) => {
    const { page, widget } = await visit(
      tag(
        `data-heading="Ask the potter" data-locale="ar" data-color-scheme="dark" data-placement="start" data-starters='["أهلا"]' data-open="false" data-hide-launcher="false" data-cf-async="false"`,
      ),
    );
    await expect(launcherOf(page)).toBeVisible();
    const attributes = await page
      .locator('workspace-chat')
      .evaluate((element) =>
        Object.fromEntries(element.getAttributeNames().map((name) => [name, element.getAttribute(name)])),
      );
    expect(attributes['heading']).toBe('Ask the potter');
    expect(attributes['locale']).toBe('ar');
    expect(attributes['color-scheme']).toBe('dark');
    expect(attributes['placement']).toBe('start');
    for (const name of ['open', 'hide-launcher', 'cf-async']) expect(!(name in attributes), name).toBeTruthy();
    await widget.open();
    await expect(page.getByRole('button', { name: 'أهلا' })).toBeVisible();
    expect(await widget.ask('متى تفتحون يوم الجمعة؟')).toMatch(/\d/);
  });

  it('the page demo/embed.html works when it is copied with a key', async ({ service, visit }) => {
    const copied = await readFile(new URL('../../demo/embed.html', import.meta.url), 'utf8');
    const own = copied
      .replace('https://api.example.com/api/v2', service.baseUrl)
      .replace('key_example', service.demo.publishableKey)
      .replace('agent_example', service.demo.agentId);
    const { page, widget } = await visit(own);
    await page.getByRole('button', { name: 'Help' }).click();
    await expect(widget.input).toBeVisible();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
  });

  it('queued calls run in order once the script has loaded, and later calls return promises', async ({
    visit,
    tag,
  }) => {
    const { page, widget } = await visit(`${queueStub}<script>
        window.calls = [];
        window.returned = [WorkspaceChat('on', 'open', () => calls.push('open')),
          WorkspaceChat('on', 'message', ({ message }) => calls.push(message.role)),
          WorkspaceChat('ready', (element) => calls.push('ready ' + element.localName)),
          WorkspaceChat('send', 'When are you open?'),
          WorkspaceChat('setDraft', 'A draft'),
          WorkspaceChat('show')];
      </script>${tag()}`);
    await expect(widget.replies.first()).toBeVisible();
    await widget.waitUntilIdle();
    await page.waitForFunction('calls.includes("assistant")');
    await poll(() => page.evaluate('returned.every((value) => value === undefined)')).toBe(true);
    const calls = await page.evaluate<string[]>('calls');
    expect([...calls].sort()).toEqual(['assistant', 'open', 'ready workspace-chat']);
    await expect(widget.visitorMessages).toHaveText('When are you open?');
    await expect(widget.input).toHaveValue('A draft');

    const reply = await page.evaluate<string>(
      `WorkspaceChat('send', 'Do you ship to Dubai?').then(({ message }) => message.content)`,
    );
    expect(reply.length > 10).toBeTruthy();
  });

  it('a listener of feedback that is added before the chat is loaded shows the thumbs', async ({ visit, tag }) => {
    const { page } = await visit(`<script>
        window.WorkspaceChat ??= (...a) => { (WorkspaceChat.q ??= []).push(a) };
        WorkspaceChat('on', 'feedback', () => {});
      </script>${tag()}`);
    await expect(launcherOf(page)).toBeVisible();
    expect(await page.locator('workspace-chat').evaluate((element) => 'feedback' in element && element.feedback)).toBe(
      true,
    );
  });

  it('WorkspaceChat has every method, and event listeners run until they are removed', async ({ visit, tag }) => {
    const { page, widget } = await visit(tag());
    await expect(launcherOf(page)).toBeVisible();
    const isOpen = () => page.locator('workspace-chat').evaluate((element) => element.hasAttribute('open'));
    await page.evaluate(`
        window.calls = [];
        window.off = WorkspaceChat('on', 'open', () => calls.push('first'));
        window.second = () => calls.push('second');
        WorkspaceChat('on', 'open', second);
      `);
    await page.evaluate(`WorkspaceChat('show')`);
    expect(await isOpen()).toBe(true);
    await page.evaluate(`WorkspaceChat('hide')`);
    expect(await isOpen()).toBe(false);
    await page.evaluate(`off()`);
    await page.evaluate(`WorkspaceChat('toggle')`);
    expect(await isOpen()).toBe(true);
    await page.evaluate(`WorkspaceChat('off', 'open', second)`);
    await page.evaluate(`WorkspaceChat('hide').then(() => WorkspaceChat('show'))`);
    await poll(() => page.evaluate('calls')).toEqual(['first', 'second', 'second']);

    await page.evaluate(`WorkspaceChat('setDraft', 'Hello?')`);
    await expect(widget.input).toBeVisible();
    await page.waitForFunction(() => {
      const composer = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea');
      return composer?.value === 'Hello?';
    });
    await page.evaluate(`WorkspaceChat('identify', { token: 'a.b.c' })`);
    await poll(() =>
      page.locator('workspace-chat').evaluate((element) => JSON.stringify((element as never)['contact'])),
    ).toBe('{"token":"a.b.c"}');
    await page.evaluate(`WorkspaceChat('logout')`);
    await poll(() => page.locator('workspace-chat').evaluate((element) => (element as never)['contact'])).toBeNull();

    const unregistering = await page.evaluate(`Promise.all([
        WorkspaceChat('registerTool', { name: 'get_order', run: () => ({}) }),
        WorkspaceChat('registerBlock', 'map', () => 'A map'),
      ]).then((values) => values.map((value) => typeof value))`);
    expect(unregistering).toEqual(['function', 'function']);

    await page.evaluate(`WorkspaceChat('send', 'When are you open?')`);
    const { conversationId } = await widget.state();
    expect(conversationId).toBeTruthy();
    await page.evaluate(
      `WorkspaceChat('receive', { id: 'msg_x', role: 'assistant', actor_type: 'owner', content: 'Sam here', conversation_id: '${conversationId}' })`,
    );
    await expect(page.getByText('Sam here', { exact: true })).toBeVisible();
    await page.evaluate(`WorkspaceChat('stop')`);
    await page.evaluate(`WorkspaceChat('reset')`);
    await poll(async () => (await widget.state()).conversationId).toBeNull();
  });

  it('an unknown command logs an error with its name', async ({ visit, tag }) => {
    const { page, logged } = await visit(tag(), { allowedErrors: [/there is no command/] });
    await expect(launcherOf(page)).toBeVisible();
    await page.evaluate(`WorkspaceChat('opne')`);
    await page.evaluate(`WorkspaceChat('constructor')`);
    expect(logged.filter((text) => text.includes('there is no command'))).toEqual([
      'error workspace-chat: there is no command “opne”.',
      'error workspace-chat: there is no command “constructor”.',
    ]);
  });

  it('the script tag adds one global, no cookie, no layout shift, and calls only the site and the service', async ({
    service,
    visit,
    tag,
  }) => {
    const { page, widget, server, requested } = await visit(
      `<script>window.before = new Set(Object.getOwnPropertyNames(window))</script>${tag('data-open="true"')}`,
      {
        prepare: (opened) =>
          opened.addInitScript(() => {
            let shifts = 0;
            const count = (entries: PerformanceEntryList) => {
              for (const entry of entries) shifts += (entry as unknown as { value: number }).value;
            };
            const observer = new PerformanceObserver((list) => count(list.getEntries()));
            observer.observe({ type: 'layout-shift', buffered: true });
            Object.assign(globalThis, {
              countShifts() {
                count(observer.takeRecords());
                return shifts;
              },
            });
          }),
      },
    );
    await expect(widget.input).toBeVisible();
    await widget.ask('When are you open?');
    await expect(page.locator('workspace-chat .sources')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copy' })).toBeVisible();
    const added = await page.evaluate<string[]>(
      `Object.getOwnPropertyNames(window).filter((name) => !before.has(name) && name !== 'before')`,
    );
    // Several copies of Lit on one page find each other by these names.
    const litVersions = /^(lit(Html|Element)Versions|reactiveElementVersions|litPropertyMetadata)$/;
    expect(added.filter((name) => !litVersions.test(name))).toEqual(['WorkspaceChat']);
    // The browser measures shifts with a frame, and reports them later.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.evaluate('countShifts()')).toBe(0);
    expect(await page.context().cookies()).toEqual([]);
    const allowed = [new URL(server.url).origin, new URL(service.url).origin];
    expect(requested.some((url) => url.startsWith(service.url))).toBe(true);
    expect(requested.filter((url) => !allowed.includes(new URL(url).origin))).toEqual([]);
  });
});
