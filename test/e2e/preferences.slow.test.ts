import type { BrowserContextOptions, Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';

const it = base.extend<{ openScene(scene: string, options?: BrowserContextOptions): Promise<Page> }>({
  openScene: async ({ newPage, demo, allowedErrors }, use) => {
    allowedErrors.push(/images\.example/);
    await use(async (scene, options) => {
      const page = await newPage(options);
      await page.route('https://images.example/**', (route) => route.fulfill({ contentType: 'image/png', body: '' }));
      await page.goto(`${demo.url}gallery.html?scene=${scene}&scheme=light`);
      await page.locator('gallery-chat .message, gallery-chat .starters').first().waitFor();
      return page;
    });
  },
});

it.describe('the visitor’s preferences', () => {
  it('more contrast makes secondary text and lines as dark as the text', async ({ openScene }) => {
    const colors = async (contrast: 'more' | 'no-preference') => {
      const page = await openScene('panel-fresh', { contrast });
      const footer = page.locator('gallery-chat .footer').first();
      const header = page.locator('gallery-chat .header').first();
      return {
        muted: await footer.evaluate((element) => getComputedStyle(element).color),
        line: await header.evaluate((element) => getComputedStyle(element).borderBlockEndColor),
      };
    };
    expect(await colors('no-preference')).toEqual({ muted: 'rgb(90, 96, 112)', line: 'rgb(223, 226, 233)' });
    expect(await colors('more')).toEqual({ muted: 'rgb(26, 28, 34)', line: 'rgb(26, 28, 34)' });
  });

  it('reduced motion switches off every transition and animation', async ({ openScene }) => {
    const page = await openScene('sending', { reducedMotion: 'reduce' });
    const dot = page.locator('gallery-chat .thinking i').first();
    await expect(dot).toHaveCSS('animation-duration', '0s');
    const other = await openScene('sending', { reducedMotion: 'no-preference' });
    await expect(other.locator('gallery-chat .thinking i').first()).toHaveCSS('animation-duration', '1.2s');
  });

  it('forced colors show the status dot and the borders of buttons and messages', async ({ openScene }) => {
    const page = await openScene('panel-busy', { forcedColors: 'active' });
    const text = await page
      .locator('gallery-chat h2')
      .first()
      .evaluate((element) => getComputedStyle(element).color);
    const dot = await page
      .locator('gallery-chat .status')
      .first()
      .evaluate((element) => {
        const { borderTopColor, borderTopWidth } = getComputedStyle(element, '::before');
        return { borderTopColor, isWide: Number.parseFloat(borderTopWidth) > 2 };
      });
    expect(dot).toEqual({ borderTopColor: text, isWide: true });
    for (const selector of ['.icon-button', '.send', '.visitor .bubble', '.agent .bubble']) {
      const border = await page
        .locator(`gallery-chat ${selector}`)
        .first()
        .evaluate((element) => {
          const { borderTopColor, borderTopWidth, backgroundColor } = getComputedStyle(element);
          return {
            isVisible: borderTopColor !== backgroundColor && borderTopColor !== 'rgba(0, 0, 0, 0)',
            borderTopWidth,
          };
        });
      expect(border, selector).toEqual({ isVisible: true, borderTopWidth: '1px' });
    }
  });
});

it.describe('the layout of Arabic conversations', () => {
  it('tables fit into the message, and their cells align with the start of the table', async ({ openScene }) => {
    const page = await openScene('answer', { viewport: { width: 360, height: 900 } });
    const tables = page.locator('gallery-chat .md-table');
    await expect(tables).toHaveCount(2);
    for (const [index, align] of ['left', 'right'].entries()) {
      const table = tables.nth(index);
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await expect(table.locator('th').first()).toHaveCSS('text-align', align);
      await expect(table.locator('td').first()).toHaveCSS('text-align', align);
    }
  });

  it('emphasis is bold and upright in Arabic, and slanted in English', async ({ openScene }) => {
    const page = await openScene('answer');
    const emphasis = page.locator('gallery-chat em');
    await expect(emphasis.first()).toHaveCSS('font-style', 'italic');
    await expect(emphasis.last()).toHaveCSS('font-style', 'normal');
    await expect(emphasis.last()).toHaveCSS('font-weight', '600');
  });
});

it('a product whose picture cannot be loaded shows its initial in the same place', async ({ openScene }) => {
  const page = await openScene('products', { viewport: { width: 600, height: 900 } });
  const tile = page.locator('gallery-chat .product .tile:has(img)').first();
  await expect(tile.locator('img')).toBeHidden();
  await expect(tile).toHaveText(/^\p{L}$/u);
  const { width, height } = (await tile.boundingBox())!;
  expect([Math.round(width), Math.round(height)]).toEqual([64, 64]);
});
