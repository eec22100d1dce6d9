/** The installer: the demo page that checks a site's values, shows its chat, and writes its code. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page, Request } from '@playwright/test';
import { build } from 'vite';
import { buildSinglePages } from '../../scripts/single-pages.ts';
import { expect, it as base } from '../support/fixtures.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { Widget } from '../support/pages/visit.ts';
import { makeFolder } from '../support/servers/built-widget.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the code for React into `support.js`, with a page's code that renders it. */
const bundleSupport = async (code: string) => {
  const { folder, remove } = await makeFolder();
  await writeFile(join(folder, 'support.tsx'), code);
  const main = `import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
    import { Support } from './support.tsx'; createRoot(document.querySelector('#app')).render(createElement(Support));`;
  await writeFile(join(folder, 'main.ts'), main);
  const packages = ['react', 'react-dom'].map((name) => ({
    find: new RegExp(`^${name}(?=/|$)`),
    replacement: join(root, 'node_modules', name),
  }));
  await build({
    root: folder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [{ find: 'workspace-chat/react', replacement: join(root, 'src/entries/react.ts') }, ...packages],
    },
    build: {
      outDir: join(folder, 'built'),
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'main.ts'), output: { entryFileNames: 'support.js' } },
    },
  });
  return { folder: join(folder, 'built'), remove };
};

interface Fixtures {
  /** Opens the installer with the demo's values in its fields. */
  openInstaller(options?: BrowserContextOptions): Promise<Page>;
  /** The installer with values that it has examined, and the address of the site's copy of the files. */
  examined: Page;
}

const it = base.extend<Fixtures>({
  openInstaller: async ({ newPage, demo }, use) => {
    await use(async (options) => {
      const page = await newPage(options);
      await page.goto(new URL('doctor.html', demo.url).href);
      await expect(page.locator('[name=agentId]')).toHaveValue(demo.config.agentId);
      return page;
    });
  },
  examined: async ({ openInstaller, serve, cdnBuild }, use) => {
    const page = await openInstaller();
    await examine(page);
    const { url } = await serve({}, { '/cdn/': cdnBuild.folder });
    await page.getByRole('textbox', { name: 'Address of embed.js' }).fill(`${url}/cdn/embed.js`);
    await use(page);
  },
});

const examine = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^(Check and continue|فحص ومتابعة)$/ }).click();
  await expect(page.getByRole('heading', { name: /^(No problem found|لم تُكتشف أي مشكلة)\.$/ })).toBeVisible();
};

const snippet = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

// The doctor sends requests that the service must reject.
it.use({ allowedErrors: [/status of (403|422|404)/] });

it.describe('the installer', () => {
  it('checks the entered values, explains the problems, and sends the agent a test question only when a button is pressed', async ({
    openInstaller,
  }) => {
    const page = await openInstaller({ permissions: ['clipboard-read', 'clipboard-write'] });
    await expect(page.locator('#result')).toBeHidden();
    await examine(page);
    await page.getByText('Show every check').click();
    await expect(page.locator('#findings li')).toHaveCount(8);
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Ask one real question' }).click();
    await expect(page.getByText('The agent has replied to a question.')).toBeVisible();
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/✓ Agent: The agent has replied/);
  });

  it('copies the code on a page without HTTPS, and takes it away when a value is changed', async ({
    openInstaller,
  }) => {
    const page = await openInstaller();
    await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await examine(page);
    const button = page.locator('#snippets button');
    await button.click();
    await expect(button).toHaveText('Copied');
    await expect(button).toBeFocused();
    await page.getByRole('textbox', { name: 'Agent', exact: true }).fill('agt_another');
    await expect(page.locator('#result')).toBeHidden();
    await expect(page.locator('#report')).toBeHidden();
    await expect(page.locator('workspace-chat')).toHaveCount(0);
  });

  it('shows neither a chat nor code for wrong values, and explains the problems in Arabic, too', async ({
    openInstaller,
  }) => {
    const page = await openInstaller();
    await examine(page);
    await expect(page.locator('workspace-chat')).toHaveCount(1);
    await page.getByRole('textbox', { name: 'Publishable key' }).fill('svc_sk_secret');
    await page.getByRole('button', { name: 'Check and continue' }).click();
    await expect(page.getByRole('heading', { name: 'One problem found.' })).toBeVisible();
    await expect(page.locator('#problems li')).toHaveCount(1);
    await expect(page.locator('workspace-chat')).toHaveCount(0);
    await expect(page.locator('#result')).toBeHidden();
    await page.getByRole('button', { name: 'العربية' }).click();
    await expect(page.getByText('إلغاؤه الآن')).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('works as a file that is opened from the computer, whose requests have the origin null', async ({
    newPage,
    service,
  }) => {
    const { folder, remove } = await makeFolder();
    const file = join(folder, 'installer.html');
    await writeFile(file, (await buildSinglePages('embed.js'))['installer.html']!);
    const page = await newPage();
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(pathToFileURL(file).href);
    await page.getByLabel('Address of the service').fill(service.settings.baseUrl);
    await page.getByLabel('Publishable key').fill(service.settings.publishableKey);
    await page.getByLabel('Agent', { exact: true }).fill(service.settings.agentId);
    await examine(page);
    const widget = new Widget(page);
    await widget.input.fill('When are you open on Friday?');
    await widget.input.press('Enter');
    await expect(widget.replies.first()).toHaveText(/16:00/);
    await page
      .getByRole('textbox', { name: 'Address of embed.js' })
      .fill('https://www.your-site.example/chat/embed.js');
    await expect(snippet(page, 'HTML')).toContainText('https://www.your-site.example/chat/embed.js');
    const chats = requests.filter((request) => request.method() === 'POST' && request.url().endsWith('/chat'));
    const headers = await Promise.all(chats.map((request) => request.allHeaders()));
    expect(new Set(headers.map(({ origin }) => origin))).toEqual(new Set(['null']));
    await remove();
  });

  it('shows the line for the console of the chosen platform, also while the address of embed.js is missing', async ({
    openInstaller,
  }) => {
    const page = await openInstaller();
    await examine(page);
    await page.getByRole('textbox', { name: 'Address of embed.js' }).fill('');
    await expect(snippet(page, 'WorkspaceChat')).toHaveText("WorkspaceChat('doctor')");
    await page.getByRole('radio', { name: 'React' }).check();
    await expect(snippet(page, 'workspace-chat/doctor')).toContainText('diagnose');
    await page.getByRole('radio', { name: 'HTML' }).check();
    await expect(page.locator('#doctor-line')).toContainText("WorkspaceChat('doctor')");
  });

  it('the code for plain HTML puts a chat that replies on a page', async ({ examined: page, newPage, serve }) => {
    const code = await snippet(page, 'HTML').innerText();

    await page.getByRole('checkbox', { name: 'My site has a Content-Security-Policy' }).check();
    const policy = (await snippet(page, 'Content-Security-Policy').innerText()).replaceAll('\n', ' ');
    const html = `<!doctype html><html lang="en"><title>Site</title><link rel="icon" href="data:," /><body>${code}</body></html>`;
    const headers = {
      'content-security-policy': `default-src 'none'; img-src data:; require-trusted-types-for 'script'; ${policy}`,
    };
    const site = await newPage();
    await site.goto((await serve({ '/': html }, {}, headers)).url);
    const widget = new Widget(site);
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
  });

  it('the code for Google Tag Manager starts the chat without attributes', async ({
    examined: page,
    newPage,
    serve,
  }) => {
    await page.getByRole('radio', { name: 'Google Tag Manager' }).check();
    const code = await snippet(page, 'Google Tag Manager').innerText();
    const html = `<!doctype html><html lang="en"><title>Site</title><body>${code}</body></html>`;
    const site = await newPage();
    await site.goto((await serve({ '/': html }, {})).url);
    await new Widget(site).open();
  });

  it('the code for React renders a chat that replies', async ({ openInstaller, newPage, serve }) => {
    const page = await openInstaller();
    await examine(page);
    // The arrow keys choose the kind of site.
    await page.getByRole('radio', { name: 'HTML' }).focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'React' })).toBeChecked();
    const { folder, remove } = await bundleSupport(await snippet(page, 'src/support.tsx').innerText());
    const html = `<!doctype html><html lang="en"><title>Site</title><body><div id="app"></div><script type="module" src="/app/support.js"></script></body></html>`;
    const site = await newPage();
    await site.goto((await serve({ '/': html }, { '/app/': folder })).url);
    const widget = new Widget(site);
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    await remove();
  });

  for (const [name, options] of [
    ['English', { locale: 'en-GB' }],
    ['Arabic, dark', { locale: 'ar', colorScheme: 'dark' }],
  ] as const) {
    it(`every kind of site fits into 360 px in ${name}, without an accessibility violation`, async ({
      openInstaller,
    }) => {
      const page = await openInstaller({ ...options, viewport: { width: 360, height: 740 } });
      await examine(page);
      await expect(page.locator('html')).toHaveAttribute('dir', options.locale === 'ar' ? 'rtl' : 'ltr');
      await page.locator('#has-policy').check();
      for (const option of await page.getByRole('radio').all()) {
        await option.check();
        expect(await page.locator('#snippets pre').count()).toBeGreaterThan(0);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      }
      expect(await accessibilityViolations(page)).toEqual([]);
    });
  }
});
