import type { Page } from '@playwright/test';
import { expect, it } from '../support/fixtures.ts';
import { findLowContrast, type TextPair } from '../support/pages/contrast.ts';
import { showGallery } from '../support/pages/gallery.ts';

const brands = ['', 'brand-brutalist', 'brand-pastel', 'brand-corporate'];

/** Shows all scenes of the gallery with a brand, in both schemes. */
const openGallery = async (page: Page, url: string, language: string, brand: string): Promise<void> => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await showGallery(page, url, `?language=${language}`);
  if (brand)
    await page.evaluate((name) => {
      for (const chat of document.querySelectorAll('gallery-chat')) chat.className = name;
    }, brand);
};

it.describe('the contrast of every text in every scene of the gallery', () => {
  for (const language of ['en', 'ar'])
    for (const brand of brands)
      it(`is at least that of WCAG AA in both schemes (${language}, ${brand || 'no brand'})`, async ({
        page,
        demo,
        allowedErrors,
      }) => {
        allowedErrors.push(/images\.example/);
        await openGallery(page, demo.url, language, brand);
        const { pairs, low } = await page.evaluate<{ pairs: number; low: TextPair[] }>(findLowContrast);
        expect(pairs).toBeGreaterThan(400);
        expect(low).toEqual([]);
      });

  it('is found to be too low where a text has the color of its background', async ({ page, demo, allowedErrors }) => {
    allowedErrors.push(/images\.example/);
    await openGallery(page, demo.url, 'en', '');
    await page.addStyleTag({ content: 'gallery-chat { --workspace-chat-muted: #eee }' });
    const { low } = await page.evaluate<{ low: TextPair[] }>(findLowContrast);
    expect(low.length).toBeGreaterThan(10);
  });
});
