/** Mistakes in an installation: the console names each in one line, and the doctor in both languages. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { DoctorReport } from '../../src/products/doctor/doctor.ts';
import { attributesOf, expect, it as base } from '../support/fixtures.ts';
import { pageWithTag } from './embed-fixtures.ts';
import { wrongInstallations, type Tools, type WrongInstallation } from './wrong-installation-cases.ts';
import { listen, type Listening } from '../support/servers/listen.ts';

interface Fixtures {
  tools: Tools;
  /** Opens a page with a mistake. Returns it, and what the widget logs. */
  install(wrong: Pick<WrongInstallation, 'settings' | 'policy' | 'origin'>): Promise<{ page: Page; lines: string[] }>;
}

const it = base.extend<Fixtures>({
  browser: async ({ browserWithNames }, use) => use(browserWithNames),
  tools: async ({ service }, use) => {
    const servers: Listening[] = [];
    const call = async (path: string, init: RequestInit) => {
      const response = await fetch(new URL(`/team${path}`, service.url), {
        ...init,
        headers: { authorization: `Bearer ${service.demo.secretKey}`, 'content-type': 'application/json' },
      });
      expect(response.ok, await response.clone().text()).toBe(true);
      return response;
    };
    await use({
      service,
      createKey: async (options = {}) => {
        const body = JSON.stringify({ label: 'Site', kind: 'publishable', scopes: ['chat'], ...options });
        return (await call('/keys', { method: 'POST', body })).json() as Promise<{ id: string; key: string }>;
      },
      revokeKey: async (id) => void (await call(`/keys/${id}`, { method: 'DELETE' })),
      listen: async (handle) => {
        const server = await listen(handle);
        servers.push(server);
        return server.url;
      },
    });
    for (const server of servers) await server.close();
  },
  install: async ({ page, serve, service, cdnBuild, tools }, use) => {
    await use(async ({ settings, policy, origin }) => {
      const lines: string[] = [];
      page.on('console', (message) => {
        const text = message.text();
        if (text.startsWith('workspace-chat:') && message.type() !== 'info') lines.push(text);
      });
      const html = pageWithTag({ ...service.settings, ...(await settings?.(tools)) });
      const headers = policy && { 'content-security-policy': policy(service.url) };
      const server = await serve({ '/': html }, { '/cdn/': cdnBuild.folder }, headers);
      if (origin?.startsWith('https:')) {
        await page.route(`${origin}/**`, async (route) => {
          const { pathname } = new URL(route.request().url());
          if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html });
          const body = await readFile(join(cdnBuild.folder, basename(pathname)));
          return route.fulfill({ contentType: 'text/javascript', body });
        });
      }
      const served = origin ? server.url.replace('127.0.0.1', new URL(origin).host) : server.url;
      await page.goto(origin?.startsWith('https:') ? origin : served);
      await page.waitForFunction(`typeof WorkspaceChat === 'function'`);
      return { page, lines };
    });
  },
});

const hint = / → type WorkspaceChat\('doctor'\) for help$/;

/** Runs the doctor on the page. */
const diagnose = (page: Page, locale: 'en' | 'ar') =>
  page.evaluate<DoctorReport>(`WorkspaceChat('doctor', { locale: '${locale}' })`);

// Traces would take longer than the tests.
it.use({ trace: 'off' });

it.describe('a wrong installation', () => {
  // The browser logs every request that is refused or blocked.
  it.use({ allowedErrors: [/./] });

  for (const { name, line, finding, en, ar, ...wrong } of wrongInstallations) {
    it(`${name}: the console says so in one line, and the doctor in English and in Arabic`, async ({ install }) => {
      const { page, lines } = await install(wrong);
      // The visitor's first message shows mistakes that only the service can find.
      await page.evaluate(`void WorkspaceChat('send', 'Hello')`);
      await expect.poll(() => lines.length).toBeGreaterThan(0);

      const [check, code] = finding;
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(hint);
      for (const [locale, words] of [
        ['en', en],
        ['ar', ar],
      ] as const) {
        const { findings } = await diagnose(page, locale);
        const problems = findings.filter(({ state }) => state === 'problem');
        expect(problems.map((problem) => [problem.check, problem.code])).toEqual([[check, code]]);
        const text = `${problems[0]!.message} ${problems[0]!.fix}`;
        expect(text).toMatch(words);
        if (locale === 'en') expect(lines[0]).toContain(line ?? text.replaceAll(/[\u2066-\u2069]/g, ''));
      }
    });
  }

  it('a wrong key of an element that the page has created: the console line names workspace-chat/doctor, which can check that element', async ({
    page,
    service,
    serve,
    cdnBuild,
  }) => {
    const lines: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') lines.push(message.text());
    });
    const attributes = attributesOf({ ...service.settings, publishableKey: 'YOUR_KEY' });
    const html = `<!doctype html><html lang="en"><title>Page</title><script type="module" src="/cdn/workspace-chat.js"></script><workspace-chat ${attributes}></workspace-chat></html>`;
    const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
    await page.goto(url);
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatch(/example key from the docs.* → run diagnose\(\) from workspace-chat\/doctor for help$/);
    const report = await page.evaluate<DoctorReport>(
      `import('/cdn/workspace-chat.js').then(({ doctor }) => doctor(document.querySelector('workspace-chat')))`,
    );
    expect(report.findings[0]).toMatchObject({ check: 'settings', code: 'key_example' });
  });

  it('a policy that blocks a file of the chat: the console and the doctor name script-src', async ({ install }) => {
    const { page, lines } = await install({
      policy: () => `script-src 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' http://*:*/cdn/embed.js`,
    });
    await expect.poll(() => lines.length).toBe(1);
    expect(lines[0]).toMatch(/a file beside the script could not be loaded.*script-src/);
    // The doctor is such a file, too: the line names the causes and the file.
    expect(lines[0]).toMatch(/\/cdn\/workspace-chat\.js/);
    expect(lines[0]).not.toMatch(hint);
    expect(await page.evaluate(`WorkspaceChat('doctor')`)).toBeNull();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[1]).toMatch(/CORS, script-src/);
  });
});
