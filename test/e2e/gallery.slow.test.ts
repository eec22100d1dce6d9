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
          shadowRoot.querySelector('.message, .welcome') && [...shadowRoot.querySelectorAll('workspace-chat-blocks')].every((blocks) => blocks.textContent.trim()))`,
      );
      return page;
    });
  },
});

/** Sets the spacing of WCAG 1.4.12 in every chat. Returns whether it applies. */
const setTextSpacing = async (): Promise<boolean> => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
    p { margin-block-end: 2em !important; }`);
  for (const { shadowRoot } of document.querySelectorAll('gallery-chat')) shadowRoot!.adoptedStyleSheets.push(sheet);
  // The observers of sizes have run by then.
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const { letterSpacing, fontSize } = getComputedStyle(
    document.querySelector('gallery-chat')!.shadowRoot!.querySelector('.bubble')!,
  );
  return Math.abs(Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize) - 0.12) < 0.01;
};

/** Returns the elements whose text is hidden by their own box, or leaves it, without a scroll bar that leads to it. */
const findCutTexts = (): string[] => {
  const isCut = (element: HTMLElement): boolean => {
    const { overflowX, overflowY, display } = getComputedStyle(element);
    if (element.closest('.visually-hidden')) return false;
    if (display === 'inline' || display === 'contents' || element.clientWidth < 2) return false;
    const isWide = element.scrollWidth > element.clientWidth + 1 && !/auto|scroll/.test(overflowX);
    // The descenders of a line may leave its box by two pixels.
    return isWide || (element.scrollHeight > element.clientHeight + 2 && !/auto|scroll/.test(overflowY));
  };
  return [...document.querySelectorAll('gallery-chat')].flatMap(({ parentElement, shadowRoot }) =>
    [...shadowRoot!.querySelectorAll<HTMLElement>('.root *:not(svg *, math *)')]
      .filter((element) => element.checkVisibility() && element.innerText?.trim() && isCut(element))
      .map((element) => `${parentElement!.closest('section')!.id}: ${element.outerHTML.slice(0, 160)}`),
  );
};

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
      // A formula in TeX, whose renderer may not have arrived.
      const texts = shown.map((text) => text.replaceAll('p_i', ''));
      expect(texts.flatMap((text) => text.match(/\d{4}-\d{2}-\d{2}|[a-z]+_[a-z]+|\b[a-z]{3}_\w+/gi) ?? [])).toEqual([]);
    });

  it('axe finds no violation in any scene', async ({ openGallery }) => {
    expect(await accessibilityViolations(await openGallery(''))).toEqual([]);
  });

  for (const { language, name, width } of [
    { language: 'en', name: 'English', width: 1280 },
    { language: 'en', name: 'English', width: 360 },
    { language: 'ar', name: 'Arabic', width: 360 },
  ])
    it(`no text is cut or leaves its box with the text spacing of WCAG 1.4.12, in ${name} at ${width} px`, async ({
      openGallery,
    }) => {
      const page = await openGallery(`?language=${language}&scheme=light`, { viewport: { width, height: 900 } });
      const before = new Set(await page.evaluate(findCutTexts));
      expect(await page.evaluate(setTextSpacing)).toBe(true);
      const cut = await page.evaluate(findCutTexts);
      expect(cut.filter((each) => !before.has(each))).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
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
