import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { expect, it } from '../support/fixtures.ts';
import { poll } from '../support/poll.ts';

const pictures = fileURLToPath(new URL('pictures/', import.meta.url));
/** `UPDATE_PICTURES=1` makes them anew: look at each before it is kept. */
const isUpdating = Boolean(process.env['UPDATE_PICTURES']);

/** A picture as it is kept: small. */
const shrink = `async (taken) => {
  const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,' + taken)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d').drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.5 })).arrayBuffer());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}`;

/** Which fonts letters come from shows in their widths: pictures of other fonts are other pictures. */
const measureFonts = `() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.font = '100px system-ui, "Segoe UI", "Noto Sans", "Noto Sans Arabic", sans-serif';
  return ['Hamburgefonstiv 0123', 'نخيل وطين للفخار', '☕'].map((text) => Math.round(context.measureText(text).width));
}`;

/** How far two pictures are apart: shapes and colours count, the edges of a machine's letters do not. */
const compare = `async (taken, kept) => {
  const [columns, rows] = [48, 24];
  const cells = async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob(), { resizeWidth: columns, resizeHeight: rows, resizeQuality: 'high' });
    const context = new OffscreenCanvas(columns, rows).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return context.getImageData(0, 0, columns, rows).data;
  };
  const size = async (url) => (await createImageBitmap(await (await fetch(url)).blob())).height;
  const urls = ['data:image/png;base64,' + taken, 'data:image/webp;base64,' + kept];
  const [one, other] = await Promise.all(urls.map(cells));
  const [height, keptHeight] = await Promise.all(urls.map(size));
  const sum = one.reduce((total, value, index) => total + Math.abs(value - other[index]), 0);
  return { colour: sum / one.length / 255, height: Math.abs(height / keptHeight - 1) };
}`;

it.describe('the gallery', () => {
  const open = async (query: string, width: number) => {
    const context = await newVisitor(browser, {
      timezoneId: 'Asia/Muscat',
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    await page.clock.setFixedTime('2026-03-04T12:00:00+04:00');
    await page.route('https://images.example/**', (route) => route.fulfill({ contentType: 'image/png', body: '' }));
    await page.goto(`${demo.url}gallery.html${query}`);
    await page.waitForFunction(
      `[...document.querySelectorAll('gallery-chat')].length > 0 && [...document.querySelectorAll('gallery-chat')].every(({ shadowRoot }) =>
        shadowRoot.querySelector('.message, .starters') && [...shadowRoot.querySelectorAll('workspace-chat-blocks')].every((blocks) => blocks.textContent.trim()))`,
    );
    return { context, page };
  };

  it('shows each block and state as it was looked at, in both languages and both schemes', async ({
    allowedErrors,
  }) => {
    allowedErrors.push(/images\.example/);
    const { context, page } = await open('', 1280);
    const fonts = JSON.stringify(await page.evaluate(`(${measureFonts})()`));
    if (isUpdating) {
      await mkdir(pictures, { recursive: true });
      await writeFile(`${pictures}fonts.json`, `${fonts}\n`);
    } else if (fonts !== (await readFile(`${pictures}fonts.json`, 'utf8')).trim()) {
      test.skip(
        'the pictures were made with other fonts than this machine has: fonts-noto-core, fonts-noto-color-emoji',
      );
      return;
    }
    for (const section of await page.locator('main > section').all()) {
      const name = (await section.getAttribute('id'))!;
      const path = `${pictures}${name}.webp`;
      const taken = (await section.screenshot({ animations: 'disabled' })).toString('base64');
      if (isUpdating) {
        await writeFile(path, await page.evaluate<string>(`(${shrink})('${taken}')`), 'latin1');
        continue;
      }
      const kept = await readFile(path, 'base64');
      const { colour, height } = await page.evaluate<{ colour: number; height: number }>(
        `(${compare})('${taken}', '${kept}')`,
      );
      expect(height < 0.08, `${name}: the height differs by ${(height * 100).toFixed(1)} %`).toBeTruthy();
      expect(colour < 0.015, `${name}: the picture differs by ${(colour * 100).toFixed(2)} %`).toBeTruthy();
    }
  });

  for (const language of ['en', 'ar']) {
    it(`fits into 360 px: ${language}`, async () => {
      const { context, page } = await open(`?language=${language}&scheme=light`, 360);
      const wide = await page.evaluate<string[]>(`
        [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.block, .block *, .bubble, .meta')])
          .map((element) => [element, element.getBoundingClientRect()])
          .filter(([element, { left, right }]) => !element.closest('.visually-hidden') && (left < 0 || right > 360))
          .map(([element]) => element.outerHTML.slice(0, 120))`);
      expect(wide).toEqual([]);
      await poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  }

  it('axe finds nothing in any state', async () => {
    const { context, page } = await open('', 1280);
    const found = await accessibilityViolations(page);
    expect(found).toEqual([]);
  });

  it('needs nobody: no service, no request beyond the page', async ({ page, demo }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).origin));
    await page.goto(`${demo.url}gallery.html?scene=form`);
    await expect(page.locator('gallery-chat form').first()).toBeVisible();
    expect([...new Set(requests.filter((origin) => origin.startsWith('http')))]).toEqual([new URL(demo.url).origin]);
  });
});
