import { fileURLToPath } from 'node:url';
import { attributesOf, expect, it } from '../support/fixtures.ts';

const worker = fileURLToPath(new URL('sites/keep-everything.js', import.meta.url));

it('a service worker of the page that keeps every file serves the chat, which still reaches the service', async ({
  page,
  widget,
  serve,
  cdnBuild,
  service,
}) => {
  const html = `<!doctype html><html lang="en"><title>Page</title>
    <script type="module" src="/cdn/workspace-chat.js"></script>
    <workspace-chat ${attributesOf(service.settings)}></workspace-chat>
    <script>navigator.serviceWorker.register('/worker.js')</script>`;
  const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder, '/worker.js': worker });
  await page.goto(url);
  await page.waitForFunction('navigator.serviceWorker.controller !== null');
  for (const visits of [1, 2]) {
    await page.reload();
    if (visits === 1) await widget.open();
    await expect(widget.visitorMessages).toHaveCount(visits - 1);
    await widget.ask('Do you ship to Dubai?');
    await expect(widget.visitorMessages).toHaveCount(visits);
  }
  const kept = await page.evaluate<string[]>(
    `caches.open('site').then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))`,
  );
  expect(kept).toContain('/cdn/workspace-chat.js');
  expect(kept.filter((path) => path.startsWith('/api/'))).toEqual([]);
});
