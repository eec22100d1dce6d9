/** `npm run bench:pictures`: shows the same conversation in this widget and in two others, for `docs/figures.md`. */
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { deepChat, flowise, own, type Peer } from './peers.ts';
import { fastest, serveBench } from './server.ts';

installPackages('bench');

const screens = { desktop: { width: 640, height: 760 }, phone: { width: 360, height: 760 } };
const shown: Peer[] = [own, deepChat, flowise];
const ending = 'Anything else?';

const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
const browser = await launchBrowser();

const picture = async (peer: Peer, viewport: { width: number; height: number }): Promise<Buffer> => {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  server.next = { length: 700, ending, ...fastest };
  await page.goto(`${server.url}/${encodeURIComponent(peer.name)}`);
  // The page opens the chat itself.
  await page.evaluate('window.bench.opening');
  await page
    .locator(`${peer.host ?? 'body'} ${peer.field}`)
    .first()
    .fill('What is the difference?');
  await page.keyboard.press('Enter');
  await page.getByText(ending).last().waitFor();
  await page.waitForLoadState('networkidle');
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await context.close();
  return image;
};

for (const [name, viewport] of Object.entries(screens)) {
  const cells: string[] = [];
  for (const peer of shown) {
    const image = await picture(peer, viewport);
    cells.push(`<figure style="margin:0"><img width="${viewport.width}" src="data:image/png;base64,${image.toString('base64')}">
      <figcaption style="font:16px sans-serif;text-align:center;padding:8px">${peer.name}</figcaption></figure>`);
  }
  const page = await browser.newPage({
    viewport: { width: viewport.width * shown.length + 16 * 4, height: viewport.height + 60 },
  });
  await page.setContent(`<body style="margin:16px;display:flex;gap:16px;background:#ddd">${cells.join('')}</body>`);
  await page.screenshot({
    path: fileURLToPath(new URL(`../../docs/side-by-side-${name}.png`, import.meta.url)),
  });
  await page.close();
}
await Promise.all([browser.close(), server.close()]);
