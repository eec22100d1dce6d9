import type { Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/visit.ts';
import { reactVersions, withReactBundles, type ReactBundle } from '../support/servers/react-bundle.ts';
import { limit } from '../support/time-limits.ts';

interface App {
  page: Page;
  widget: Widget;
  /** The users whose token the page has requested, in order. */
  requests: string[];
  /** Lets 31 seconds pass, after which a replaced function may be called. */
  passProofInterval(): Promise<void>;
}

const it = base.extend<
  { openApp(version: (typeof reactVersions)[number]): Promise<App> },
  { bundles: Map<number, ReactBundle> }
>({
  bundles: [({}, use) => withReactBundles(use), { scope: 'worker', timeout: limit(60_000) }],
  openApp: async ({ bundles, serve, service, newPage }, use) => {
    await use(async (version) => {
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title></head>
        <body><div id="app"></div>
        <script type="application/json" id="settings">${JSON.stringify(service.settings)}</script>
        <script type="module" src="/react/identity.js"></script></body></html>`;
      const { url } = await serve({ '/': html }, { '/react/': bundles.get(version)!.folder });
      const page = await newPage();
      const requests: string[] = [];
      await page.route('**/chat-token/*', async (route) => {
        const user = new URL(route.request().url()).pathname.split('/').at(-1)!;
        requests.push(user);
        await route.fulfill({ json: { user_id: user, user_hash: 'unchecked' } });
      });
      await page.clock.install();
      await page.goto(url);
      return { page, widget: new Widget(page), requests, passProofInterval: () => page.clock.runFor(31_000) };
    });
  },
});

const annsQuestion = 'When are you open on Friday?';
const bensQuestion = 'When are you open on Sunday?';

const renderOften = async (page: Page, total: number): Promise<void> => {
  await page.getByRole('button', { name: 'Render 100 times' }).click();
  await expect(page.locator('#renderings')).toHaveText(String(total));
};

const signInAsBen = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in as Ben' }).click();
  await expect(page.locator('#user')).toHaveText('ben');
};

for (const version of reactVersions) {
  it.describe(`an inline contact function in React ${version}`, () => {
    it('causes at most one token request in 100 renderings', async ({ openApp }) => {
      const { page, widget, requests, passProofInterval } = await openApp(version);
      await widget.open();
      await renderOften(page, 100);
      await passProofInterval();
      expect(requests).toEqual([]);

      await widget.ask(annsQuestion);
      expect(requests).toEqual(['ann']);
      await renderOften(page, 200);
      await passProofInterval();
      await expect.poll(() => requests).toEqual(['ann', 'ann']);
      await passProofInterval();
      // The message uses the token of the background request.
      await widget.ask(bensQuestion);
      expect(requests).toEqual(['ann', 'ann']);
      await expect(widget.visitorMessages).toHaveText([annsQuestion, bensQuestion]);
    });

    it('of another user removes the transcript of the former user for good', async ({ openApp }) => {
      const { page, widget, requests, passProofInterval } = await openApp(version);
      await widget.open();
      await widget.ask(annsQuestion);
      await signInAsBen(page);
      await passProofInterval();
      await expect(widget.visitorMessages).toHaveCount(0);
      await expect(widget.replies).toHaveCount(0);
      expect(requests).toEqual(['ann', 'ben']);

      await renderOften(page, 100);
      await passProofInterval();
      await expect(widget.visitorMessages).toHaveCount(0);
      await widget.ask(bensQuestion);
      await expect(widget.visitorMessages).toHaveText([bensQuestion]);
      await page.reload();
      await expect(widget.visitorMessages).toHaveText([bensQuestion]);
      await expect(widget.completeReplies).toHaveCount(1);
    });

    it('of another user leaves in the transcript only the message that this user sends at once', async ({
      openApp,
    }) => {
      const { page, widget, requests } = await openApp(version);
      await widget.open();
      await widget.ask(annsQuestion);
      await signInAsBen(page);
      await widget.input.fill(bensQuestion);
      await widget.input.press('Enter');
      await expect(widget.visitorMessages).toHaveText([bensQuestion]);
      await expect(widget.completeReplies).toHaveCount(1);
      expect(requests).toEqual(['ann', 'ben']);
    });
  });
}
