import type { Page, Route } from '@playwright/test';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const policy = { 'content-security-policy': "script-src 'nonce-n'" };

const recordViolations = `<script nonce="n">
  window.violations = [];
  addEventListener('securitypolicyviolation', ({ blockedURI }) => violations.push(blockedURI));
</script>`;

/** The browser is idle only when the test says so. */
const controlIdle = `
  window.idle = [];
  globalThis.requestIdleCallback = (callback) => idle.push(callback);
`;

const it = base.extend<{
  /** Opens a page with the given script. Returns the files that have been requested so far. */
  visit(script: string, headers?: Record<string, string>): Promise<string[]>;
}>({
  visit: async ({ page, serve, service, cdnBuild }, use) => {
    await use(async (script, headers = {}) => {
      const element = `<workspace-chat ${attributesOf(service.settings)}></workspace-chat>`;
      const start = '<!doctype html><html lang="ar"><meta charset="utf-8"><title>Page</title>';
      const site = await serve(
        { '/': start + recordViolations + script + element },
        { '/cdn/': cdnBuild.folder },
        headers,
      );
      const files: string[] = [];
      page.on('request', (request) => files.push(request.url().split('/').at(-1)!));
      await page.addInitScript(controlIdle);
      await page.goto(site.url);
      await page.evaluate('customElements.whenDefined("workspace-chat").then(() => {})');
      return files;
    });
  },
});

const moduleTag = '<script type="module" nonce="n" src="/cdn/workspace-chat.js"></script>';
const chatFiles = (files: readonly string[]) => files.filter((file) => /^(?:chat|en|ar)-/.test(file)).toSorted();
const both = [expect.stringMatching(/^ar-/), expect.stringMatching(/^chat-/)];

const becomeIdle = async (page: Page): Promise<void> => {
  await page.evaluate('document.querySelector("workspace-chat").ready');
  await page.evaluate('idle.splice(0).forEach((callback) => callback())');
};

const isEvaluated = (page: Page) => page.evaluate('customElements.get("workspace-chat-panel") !== undefined');

const open = async (page: Page): Promise<void> => {
  await page.locator('workspace-chat .launcher').click();
  await expect(page.locator('workspace-chat textarea')).toBeVisible();
};

it.describe('the files behind the launcher', () => {
  it('are fetched when the browser is idle, and evaluated when the pointer comes to the launcher', async ({
    page,
    visit,
  }) => {
    const files = await visit(moduleTag);
    expect(chatFiles(files)).toEqual([]);
    await becomeIdle(page);
    await poll(() => chatFiles(files)).toEqual(both);
    expect(await isEvaluated(page)).toBe(false);
    await page.locator('workspace-chat .launcher').hover();
    await poll(() => isEvaluated(page)).toBe(true);
    await open(page);
    expect(chatFiles(files)).toEqual(both);
  });

  it('are evaluated when the pointer comes to an element of the page that opens the chat', async ({ page, visit }) => {
    await visit(`<button class="help">Help</button>${moduleTag}`);
    await page.evaluate('document.querySelector("workspace-chat").launcherSelector = ".help"');
    await page.locator('.help').hover();
    await poll(() => isEvaluated(page)).toBe(true);
    await expect(page.locator('workspace-chat textarea')).toBeHidden();
  });

  it('are fetched with the nonce of the widget’s own tag', async ({ page, visit }) => {
    const files = await visit(moduleTag, policy);
    await becomeIdle(page);
    await poll(() => chatFiles(files)).toEqual(both);
    await open(page);
    expect(await page.evaluate('violations')).toEqual([]);
  });

  it('violate no policy on a page without a tag of the widget', async ({ page, visit }) => {
    const files = await visit(`<script type="module" nonce="n">import '/cdn/workspace-chat.js';</script>`, policy);
    await becomeIdle(page);
    await poll(() => chatFiles(files)).toEqual(both);
    await open(page);
    expect(await page.evaluate('violations')).toEqual([]);
  });

  const savers = {
    'the browser saves data': 'Object.defineProperty(navigator, "connection", { value: { saveData: true } })',
    'the visitor prefers reduced data': `
      const { matchMedia } = window;
      window.matchMedia = (query) => query.includes('reduced-data') ? { matches: true } : matchMedia.call(window, query);
    `,
  };
  for (const [name, script] of Object.entries(savers))
    it(`are not fetched before they are needed where ${name}`, async ({ page, visit }) => {
      await page.addInitScript(script);
      const files = await visit(moduleTag);
      await becomeIdle(page);
      expect(chatFiles(files)).toEqual([]);
      await open(page);
      expect(chatFiles(files)).toEqual(both);
    });

  it('are not needed by the teaser, the shortcut, and the colors of older browsers', async ({ page, visit }) => {
    await page.addInitScript(savers['the browser saves data']);
    await page.addInitScript(`
      const { supports } = CSS;
      CSS.supports = (name, value) => !value?.startsWith('light-dark') && supports.call(CSS, name, value);
    `);
    const files = await visit(moduleTag);
    await page.evaluate(`
      Object.assign(document.querySelector('workspace-chat'), { teaser: 'Hello', teaserDelay: 0, shortcut: 'Alt+C' });
    `);
    await becomeIdle(page);
    await expect(page.locator('workspace-chat .teaser')).toBeVisible();
    await expect(page.locator('workspace-chat .launcher')).toHaveAttribute('aria-keyshortcuts', 'Alt+C');
    await poll(() => files.filter((file) => file.startsWith('older-browsers-'))).toHaveLength(1);
    await page.waitForLoadState('networkidle');
    expect(chatFiles(files)).toEqual([]);
  });

  it('are not fetched while the page is only prerendered, and the tab opens the chat again when it is shown', async ({
    page,
    visit,
  }) => {
    await page.addInitScript(`
      Object.defineProperty(document, "prerendering", { value: true, configurable: true });
      document.addEventListener('workspace-chat-ready', () => (globalThis.isReady = true));
    `);
    const files = await visit(moduleTag);
    await page.waitForLoadState();
    await page.evaluate('idle.splice(0).forEach((callback) => callback())');
    expect(chatFiles(files)).toEqual([]);
    expect(await page.evaluate('globalThis.isReady')).toBeUndefined();
    // The visitor opens the chat on the page that they still see.
    await page.evaluate(`
      sessionStorage.setItem('workspace-chat-open ' + document.querySelector('workspace-chat').agentId, '1');
      Object.defineProperty(document, "prerendering", { value: false });
      document.dispatchEvent(new Event('prerenderingchange'));
    `);
    await expect(page.locator('workspace-chat .panel')).toBeVisible();
    await poll(() => chatFiles(files)).toEqual(both);
  });
});

it.describe('a chat whose file is missing', () => {
  const failed = 'تعذّر تحميل المحادثة.';
  const errorsOf = (page: Page): string[] => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && message.text().startsWith('workspace-chat:')) errors.push(message.text());
    });
    return errors;
  };

  it.use({ allowedErrors: [/./] });

  it('says so after two attempts, and opens with the next click', async ({ page, visit }) => {
    const errors = errorsOf(page);
    const abort = (route: Route) => route.abort();
    await page.route(/\/chat-[0-9a-f]+\.js/, abort);
    await visit(moduleTag);
    const launcher = page.locator('workspace-chat .launcher');
    await launcher.click();
    await expect(page.getByText(failed)).toBeVisible();
    await expect(launcher).toHaveAttribute('aria-expanded', 'false');
    expect(errors).toHaveLength(1);
    await page.unroute(/\/chat-[0-9a-f]+\.js/, abort);
    await page.getByRole('button', { name: 'إعادة المحاولة' }).click();
    await expect(page.locator('workspace-chat textarea')).toBeVisible();
    await expect(page.getByText(failed)).toBeHidden();
  });

  const [chatFile, textFile] = [/\/chat-[0-9a-f]+\.js/, /\/ar-[0-9a-f]+\.js/];
  for (const [file, problem, change] of [
    [textFile, 'is empty', () => ({ contentType: 'text/javascript', body: '' })],
    [chatFile, 'is cut', (text: string) => ({ contentType: 'text/javascript', body: text.slice(0, text.length / 2) })],
    [chatFile, 'is a page of the site', () => ({ contentType: 'text/html', body: '<p>Not found</p>' })],
  ] as const)
    it(`says so when ${file.source} ${problem}, and opens when it is repaired`, async ({ page, visit }) => {
      const errors = errorsOf(page);
      let isRepaired = false;
      await page.route(file, async (route) => {
        if (isRepaired) return route.continue();
        const response = await route.fetch();
        return route.fulfill({ status: 200, ...change(await response.text()) });
      });
      await visit(moduleTag);
      await page.locator('workspace-chat .launcher').click();
      await expect(page.getByText(failed)).toBeVisible();
      expect(errors).toHaveLength(1);
      isRepaired = true;
      await page.getByRole('button', { name: 'إعادة المحاولة' }).click();
      await expect(page.locator('workspace-chat textarea')).toBeVisible();
    });

  it('says that it is being opened while the file hangs, then that it could not be loaded, and requests it again', async ({
    page,
    visit,
  }) => {
    const errors = errorsOf(page);
    let count = 0;
    await page.route(/\/chat-[0-9a-f]+\.js/, (route) => (count++ === 0 ? undefined : route.continue()));
    await page.clock.install();
    await visit(moduleTag);
    const launcher = page.locator('workspace-chat .launcher');
    await launcher.click();
    await page.clock.runFor(400);
    await expect(page.getByText('جارٍ فتح المحادثة…')).toBeVisible();
    await expect(launcher).toHaveAttribute('aria-expanded', 'false');
    await page.clock.runFor(15_000);
    await expect(page.getByText(failed)).toBeVisible();
    expect(errors).toHaveLength(1);
    await launcher.click();
    await page.clock.runFor(1_000);
    await expect(page.locator('workspace-chat textarea')).toBeVisible();
    expect(count).toBe(2);
  });

  it('has a button that tries again where it stands in the page', async ({ page, visit }) => {
    let isBroken = true;
    await page.route(/\/chat-[0-9a-f]+\.js/, (route) => (isBroken ? route.abort() : route.continue()));
    await visit(moduleTag);
    await page.evaluate('document.querySelector("workspace-chat").mode = "inline"');
    const retry = page.getByRole('button', { name: 'إعادة المحاولة' });
    await expect(retry).toBeVisible();
    isBroken = false;
    await retry.click();
    await expect(page.locator('workspace-chat textarea')).toBeVisible();
  });

  it('keeps its language when the texts of the next one cannot be loaded', async ({ page, visit }) => {
    await page.route(/\/en-[0-9a-f]+\.js/, (route) => route.abort());
    await visit(moduleTag);
    await open(page);
    await page.evaluate('document.querySelector("workspace-chat").locale = "en"');
    await expect(page.locator('workspace-chat textarea')).toHaveAttribute('placeholder', /…/);
    await expect(page.locator('workspace-chat .panel')).toHaveAttribute('dir', 'rtl');
  });

  it('changes its language when the visitor chooses it again after its texts could not be loaded', async ({
    page,
    visit,
  }) => {
    const errors = errorsOf(page);
    let isBroken = true;
    await page.route(/\/en-[0-9a-f]+\.js/, (route) => (isBroken ? route.abort() : route.continue()));
    await visit(moduleTag);
    await open(page);
    const chooseEnglish = async () => {
      await page.locator('workspace-chat [aria-haspopup=menu]').click();
      await page.getByRole('menuitem', { name: 'English' }).click();
    };
    await chooseEnglish();
    await expect.poll(() => errors.length).toBe(1);
    isBroken = false;
    await chooseEnglish();
    await expect(page.locator('workspace-chat .panel')).toHaveAttribute('dir', 'ltr');
  });
});
