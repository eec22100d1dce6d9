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
  it('opens at its top', async ({ openGallery }) => {
    const page = await openGallery('');
    await expect(page.locator('gallery-chat [aria-invalid=true]').first()).toBeAttached();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  });

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

  for (const language of ['en', 'ar'])
    it(`shows no ISO date, no snake_case and no resource id in any scene (${language})`, async ({ openGallery }) => {
      const page = await openGallery(`?language=${language}`);
      const shown = await page.evaluate<string[]>(`
        [...document.querySelectorAll('gallery-chat')].flatMap(({ shadowRoot }) => {
          const labeled = [...shadowRoot.querySelectorAll('[aria-label], [title]')];
          const labels = labeled.flatMap((each) => [each.ariaLabel ?? '', each.title]);
          return [...shadowRoot.querySelectorAll('.panel, .root')].flatMap((root) => [root.innerText, ...labels]);
        })`);
      expect(shown.join('').length).toBeGreaterThan(5_000);
      expect(shown.flatMap((text) => text.match(/\d{4}-\d{2}-\d{2}|[a-z]+_[a-z]+|\b[a-z]{3}_\w+/gi) ?? [])).toEqual([]);
    });

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
