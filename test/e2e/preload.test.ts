import type { Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const policy = { 'content-security-policy': "script-src 'nonce-n'" };

const recordViolations = `<script nonce="n">
  window.violations = [];
  addEventListener('securitypolicyviolation', ({ blockedURI }) => violations.push(blockedURI));
</script>`;

const it = base.extend<{
  /** Opens a page with the given script, on which the browser is never idle. Returns the files that have been requested so far. */
  visit(script: string, headers?: Record<string, string>): Promise<string[]>;
}>({
  visit: async ({ page, serve, service, cdnBuild }, use) => {
    await use(async (script, headers = {}) => {
      const { baseUrl, publishableKey, agentId } = service.settings;
      const element = `<workspace-chat base-url="${baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"></workspace-chat>`;
      const start = '<!doctype html><html lang="ar"><meta charset="utf-8"><title>Page</title>';
      const site = await serve(
        { '/': start + recordViolations + script + element },
        { '/cdn/': cdnBuild.folder },
        headers,
      );
      const files: string[] = [];
      page.on('request', (request) => files.push(request.url().split('/').at(-1)!));
      await page.addInitScript('globalThis.requestIdleCallback = () => 0');
      await page.goto(site.url);
      await expect(page.locator('workspace-chat .launcher')).toBeVisible();
      return files;
    });
  },
});

const moduleTag = '<script type="module" nonce="n" src="/cdn/workspace-chat.js"></script>';
const panelFiles = (files: readonly string[]) => files.filter((file) => /^(?:stages|en|ar)-/.test(file)).toSorted();
const both = [expect.stringMatching(/^ar-/), expect.stringMatching(/^stages-/)];

const open = async (page: Page): Promise<void> => {
  await page.locator('workspace-chat .launcher').click();
  await expect(page.locator('workspace-chat textarea')).toBeVisible();
};

it.describe('the script tag', () => {
  it('requests the files of the panel with the launcher, and once only', async ({ page, visit }) => {
    const files = await visit(moduleTag);
    await poll(() => panelFiles(files)).toEqual(both);
    await open(page);
    expect(panelFiles(files)).toEqual(both);
  });

  it('requests the files of the panel with the nonce of its own tag', async ({ page, visit }) => {
    const files = await visit(moduleTag, policy);
    await poll(() => panelFiles(files)).toEqual(both);
    await open(page);
    expect(await page.evaluate('violations')).toEqual([]);
  });

  it('does not request the files of the panel before they are needed where no tag of the widget has a nonce', async ({
    page,
    visit,
  }) => {
    const files = await visit(`<script type="module" nonce="n">import '/cdn/workspace-chat.js';</script>`, policy);
    expect(panelFiles(files)).toEqual([]);
    await open(page);
    expect(panelFiles(files)).toEqual(both);
    expect(await page.evaluate('violations')).toEqual([]);
  });

  it('does not request the files of the panel before they are needed where the browser saves data', async ({
    page,
    visit,
  }) => {
    await page.addInitScript('Object.defineProperty(navigator, "connection", { value: { saveData: true } })');
    const files = await visit(moduleTag);
    expect(panelFiles(files)).toEqual([]);
    await open(page);
    expect(panelFiles(files)).toEqual(both);
  });
});
