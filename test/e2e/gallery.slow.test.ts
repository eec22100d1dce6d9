import { expect, it as base } from '../support/fixtures.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';
import type { BrowserContextOptions, Page } from '@playwright/test';

const it = base.extend<{ openGallery(query: string, options?: BrowserContextOptions): Promise<Page> }>({
  openGallery: async ({ newPage, demo, allowedErrors }, use) => {
    allowedErrors.push(/images\.example/);
    await use(async (query, options) => {
      const page = await newPage({ reducedMotion: 'reduce', ...options });
      await page.route('https://images.example/**', (route) => route.fulfill({ contentType: 'image/png', body: '' }));
      await page.goto(`${demo.url}gallery.html${query}`);
      await page.waitForFunction(
        `[...document.querySelectorAll('gallery-chat')].length > 0 && [...document.querySelectorAll('gallery-chat')].every(({ shadowRoot }) =>
          shadowRoot.querySelector('.message, .starters') && [...shadowRoot.querySelectorAll('workspace-chat-blocks')].every((blocks) => blocks.textContent.trim()))`,
      );
      return page;
    });
  },
});

it.describe('the gallery', () => {
  for (const [language, name] of [
    ['en', 'English'],
    ['ar', 'Arabic'],
  ]) {
    it(`all blocks and messages fit into 360 px in ${name}`, async ({ openGallery }) => {
      const viewport = { width: 360, height: 900 };
      const page = await openGallery(`?language=${language}&scheme=light`, { viewport });
      const overflowing = await page.evaluate<string[]>(`
        [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll('.block, .block *, .bubble, .meta')])
          .map((element) => [element, element.getBoundingClientRect()])
          .filter(([element, { left, right }]) => !element.closest('.visually-hidden') && (left < 0 || right > 360))
          .map(([element]) => element.outerHTML.slice(0, 120))`);
      expect(overflowing).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });
  }

  it('axe finds no violation in any scene', async ({ openGallery }) => {
    expect(await accessibilityViolations(await openGallery(''))).toEqual([]);
  });

  it('the gallery sends no request except for its own files', async ({ page, demo }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).origin));
    await page.goto(`${demo.url}gallery.html?scene=form`);
    await expect(page.locator('gallery-chat form').first()).toBeVisible();
    const origins = new Set(requested.filter((origin) => origin.startsWith('http')));
    expect([...origins]).toEqual([new URL(demo.url).origin]);
  });
});
