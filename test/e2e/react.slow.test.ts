import type { Page } from '@playwright/test';
import { reactVersions, withReactBundles, type ReactBundle } from '../support/servers/react-bundle.ts';
import { expect, it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';
import { limit } from '../support/time-limits.ts';

const it = base.extend<
  {
    /** Opens the application, rendered on the server or only in the browser. */
    openApp(version: (typeof reactVersions)[number], isServerRendered: boolean): Promise<Page>;
  },
  { bundles: Map<number, ReactBundle> }
>({
  bundles: [({}, use) => withReactBundles(use), { scope: 'worker', timeout: limit(60_000) }],
  openApp: async ({ bundles, serve, service, newPage }, use) => {
    await use(async (version, isServerRendered) => {
      const { folder, render } = bundles.get(version)!;
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title></head>
        <body><div id="app">${isServerRendered ? render(service.settings) : ''}</div>
        <script type="application/json" id="settings">${JSON.stringify(service.settings)}</script>
        <script type="module" src="/react/client.js"></script></body></html>`;
      const { url } = await serve({ '/': html }, { '/react/': folder });
      const page = await newPage();
      await page.addInitScript(() => {
        const define = customElements.define.bind(customElements);
        Object.assign(window, { definitions: 0 });
        customElements.define = (name, constructor) => {
          if (name === 'workspace-chat') (window as unknown as { definitions: number }).definitions++;
          define(name, constructor);
        };
      });
      await page.goto(url);
      return page;
    });
  },
});

for (const version of reactVersions) {
  it.describe(`React ${version}, in its strict mode`, () => {
    for (const isServerRendered of [true, false]) {
      const place = isServerRendered ? 'hydrates' : 'renders';

      it(`${place} a chat that has its properties, and handles each event once`, async ({ openApp }) => {
        const page = await openApp(version, isServerRendered);
        const widget = new Widget(page);
        await expect(page.locator('#ready')).toHaveText('1');
        await expect(page.locator('workspace-chat#chat.support')).toHaveCount(1);
        await widget.open();
        await expect(page.getByRole('dialog', { name: 'Ask us' })).toBeVisible();
        await expect(page.getByText('Rendering 0')).toBeVisible();
        await expect(page.locator('workspace-chat > b')).toBeVisible();
        await expect(page.getByRole('button', { name: 'Send it' })).toBeVisible();
        // The tool is registered through the ref.
        await page.getByRole('button', { name: 'Where is my order 4711?' }).click();
        await expect(page.locator('#replies')).toHaveText(/^0: [^|]*shipped[^|]*$/);
        await expect(page.locator('#ready')).toHaveText('1');
        expect(await page.evaluate('definitions')).toBe(1);
      });
    }

    it('uses the props of the latest rendering', async ({ openApp }) => {
      const page = await openApp(version, true);
      const widget = new Widget(page);
      for (let rendering = 0; rendering < 3; rendering++)
        await page.getByRole('button', { name: 'Render again' }).click();
      await widget.open();
      await expect(page.getByText('Rendering 3')).toBeVisible();
      // The heading was removed, so it is the default again.
      await expect(page.getByRole('dialog', { name: 'Ask us' })).toHaveCount(0);
      await expect(page.getByRole('dialog', { name: /\w/ })).toBeVisible();
      await widget.input.fill('When are you open on Friday?');
      await widget.input.press('Enter');
      await expect(page.locator('#replies')).toHaveText(/^3: [^|]*16:00[^|]*$/);
    });

    it('restores the conversation of a chat that it removes and renders again', async ({ openApp }) => {
      const page = await openApp(version, true);
      const widget = new Widget(page);
      const toggle = page.getByRole('button', { name: 'Show or remove the chat' });
      await widget.open();
      await widget.input.fill('When are you open on Friday?');
      await widget.input.press('Enter');
      await expect(page.locator('#replies')).toHaveText(/16:00/);
      await toggle.click();
      await expect(page.locator('workspace-chat')).toHaveCount(0);
      await toggle.click();
      await expect(widget.completeReplies).toHaveCount(1);
      await expect(page.locator('#ready')).toHaveText('2');
      expect(await page.evaluate('definitions')).toBe(1);
    });
  });
}
