import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { release } from '../../scripts/release.ts';
import { poll } from '../support/poll.ts';
import { expect, it as base, launcherOf, queueStub } from './embed-fixtures.ts';
import { makeFolder } from '../support/servers/built-widget.ts';

const it = base.extend<{
  /** A copy of the build for script tags with the standalone script. The test may add files. */
  siteFolder: string;
}>({
  siteFolder: async ({ cdnBuild, standaloneBuild }, use) => {
    const { folder, remove } = await makeFolder();
    for (const build of [cdnBuild, standaloneBuild]) await cp(build.folder, folder, { recursive: true });
    await use(folder);
    await remove();
  },
});

it.describe('the script tag on strict and broken pages', () => {
  it('a blocked widget logs what the policy must allow, and loads at the next call', async ({ visit, tag }) => {
    const { page, widget, logged } = await visit(tag(), {
      allowedErrors: [/a file beside the script could not be loaded/, /ERR_FAILED/],
      prepare: (page) => page.route('**/workspace-chat.js', (route) => route.abort()),
    });
    await poll(() =>
      logged.filter((text) => text.includes('a file beside the script could not be loaded')).join('\n'),
    ).toContain('CORS, script-src');
    await page.unroute('**/workspace-chat.js');
    await page.evaluate(`WorkspaceChat('show')`);
    await expect(widget.input).toBeVisible();
  });

  it('the doctor runs where the file of the chat is missing', async ({ visit, tag }) => {
    const { page } = await visit(tag(), {
      // The doctor asks the service what it refuses.
      allowedErrors: [/could not be loaded/, /ERR_FAILED/, /Failed to fetch/, /status of 4\d\d/],
      prepare: (page) => page.route('**/chat-*.js', (route) => route.abort()),
    });
    const findings = await page.evaluate(`WorkspaceChat('doctor').then((report) => report?.findings.length)`);
    expect(findings).toBeGreaterThan(0);
  });

  it('a key that the service refuses shows a calm sentence to the visitor and the reason in the console', async ({
    service,
    visit,
    tag,
  }) => {
    const { page, widget, logged } = await visit(
      tag().replace(service.demo.publishableKey, 'svc_pk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
      { allowedErrors: [/status of 401/] },
    );
    await widget.open();
    await widget.input.fill('When are you open?');
    await widget.input.press('Enter');
    await expect(page.getByText('The chat is not available on this page right now.').first()).toBeVisible();
    const reason = /^warning workspace-chat: The service does not know this key, or it was revoked\..*\(HTTP 401, req_/;
    await poll(() => logged.filter((text) => reason.test(text))).toHaveLength(1);
  });

  it('the script tag loads only files with the hashes of the build', async ({ visit, data, siteFolder }) => {
    const { snippet } = await release(siteFolder, '/cdn');
    const own = (html: string) => html.replace(/data-base-url="[^>]*/, data);
    const { widget } = await visit(own(snippet), { folder: siteFolder });
    await widget.open();
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);

    const changed = snippet.replace(/(chat-[\w-]+\.js": "sha384-)..../, '$1AAAA');
    expect(changed).not.toBe(snippet);
    const { page } = await visit(own(changed), {
      folder: siteFolder,
      allowedErrors: [/integrity/i, /could not be loaded/],
    });
    await launcherOf(page).click();
    await expect(page.getByText('The chat could not be loaded.')).toBeVisible();
  });

  it('the standalone script works on a page in another encoding, opened from a file, and loads no other file', async ({
    page,
    widget,
    service,
    data,
    siteFolder,
  }) => {
    const file = join(siteFolder, 'page.html');
    await writeFile(
      file,
      `<!doctype html><html lang="en"><meta charset="windows-1256"><title>File</title><body>${queueStub}<script>WorkspaceChat('setDraft', 'Queued')</script><script src="standalone.js" ${data} data-open></script></body></html>`,
    );
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await expect(widget.input).toBeVisible();
    await page.waitForFunction(() => {
      const composer = document.querySelector('workspace-chat')?.shadowRoot?.querySelector('textarea');
      return composer?.value === 'Queued';
    });
    expect(await widget.ask('When are you open on Friday?')).toMatch(/16:00/);
    await page.evaluate(`WorkspaceChat('configure', { locale: 'ar' })`);
    await expect(page.getByRole('textbox', { name: 'الرسالة' })).toBeVisible();
    expect(await widget.ask('أريد أن أحجز موعدًا')).toMatch(/\S/);
    await page.reload();
    await expect(widget.visitorMessages.nth(1)).toBeVisible();
    expect([...new Set(files.filter((url) => !url.startsWith(service.url)))]).toEqual([
      pathToFileURL(file).href,
      pathToFileURL(join(siteFolder, 'standalone.js')).href,
    ]);
  });
});
