/** Compares the components and the scenes of the gallery with pictures. */
import type { Locator, Page } from '@playwright/test';
import { scenes } from '../../../demo/gallery-scenes.ts';
import { expect, it as base } from '../fixtures.ts';
import { showGallery } from './gallery.ts';
import { applyTestFonts } from './test-fonts.ts';
import { Widget } from './visit.ts';

const variants = {
  light: { language: 'en', scheme: 'light', width: 1280 },
  dark: { language: 'en', scheme: 'dark', width: 1280 },
  arabic: { language: 'ar', scheme: 'light', width: 1280 },
  narrow: { language: 'en', scheme: 'light', width: 360 },
} as const;

type Variant = keyof typeof variants;

/** Fewer pixels may differ than the three dots of the menu button have, so that a missing icon fails. */
export const picture = { threshold: 0.1, maxDiffPixels: 6, animations: 'disabled', caret: 'hide' } as const;

interface PictureFixtures {
  variant: Variant;
  openPage(): Promise<Page>;
  openGallery(): Promise<Page>;
  /** Opens a page with nothing but the element. */
  openElement(attributes?: string): Promise<Widget>;
}

export const it = base.extend<PictureFixtures>({
  variant: ['light', { option: true }],
  openPage: async ({ newPage, variant }, use) => {
    await use(async () => {
      const { width } = variants[variant];
      const page = await newPage({
        viewport: { width, height: 900 },
        timezoneId: 'Asia/Muscat',
        reducedMotion: 'reduce',
        // Without it, a browser without a screen refuses notices, and none is offered.
        permissions: ['notifications'],
      });
      await page.clock.setFixedTime('2026-03-04T12:00:00+04:00');
      // The banner counts on the monotonic clock, which the line above leaves running.
      await page.addInitScript(() => {
        performance.now = () => 1_000;
      });
      return page;
    });
  },
  openGallery: async ({ openPage, demo, variant, allowedErrors }, use) => {
    allowedErrors.push(/images\.example/);
    await use(async () => {
      const page = await openPage();
      const { language, scheme } = variants[variant];
      await showGallery(page, demo.url, `?language=${language}&scheme=${scheme}`);
      await applyTestFonts(page, 'gallery-chat');
      return page;
    });
  },
  openElement: async ({ openPage, serve, service, cdnBuild, variant }, use) => {
    await use(async (attributes = '') => {
      const { language, scheme } = variants[variant];
      const { baseUrl, publishableKey, agentId } = service.settings;
      const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Page</title>
        <style>html { background: ${scheme === 'dark' ? '#222' : '#eee'} }</style>
        <script type="module" src="/cdn/workspace-chat.js"></script>
        <workspace-chat base-url="${baseUrl}" publishable-key="${publishableKey}" agent-id="${agentId}"
          color-scheme="${scheme}" storage="memory" ${attributes}></workspace-chat>`;
      const { url } = await serve({ '/': html }, { '/cdn/': cdnBuild.folder });
      const page = await openPage();
      await page.goto(url);
      await applyTestFonts(page, 'workspace-chat');
      return new Widget(page);
    });
  },
});

/** Moves an element to whole pixels, so that its picture does not depend on the heights of the elements before it. */
const moveToCorner = (element: HTMLElement | SVGElement): void => {
  const { width } = element.getBoundingClientRect();
  const position = { position: 'absolute', zIndex: '1', top: '0', left: '0', width: `${Math.round(width)}px` };
  Object.assign(element.style, position);
};

export const panelOf = ({ page }: Widget): Locator => page.locator('workspace-chat .panel');

/** Adds the tests of each variant. */
export const testPictures = (names: readonly Variant[]): void => {
  for (const variant of names) {
    it.describe(`pictures, ${variant}`, () => {
      it.use({ variant });

      it(`each scene of the gallery looks like its ${variant} picture`, { tag: '@slow' }, async ({ openGallery }) => {
        it.setTimeout(120_000);
        const page = await openGallery();
        for (const { id } of scenes) {
          const scene = page.locator(`section[id="${id}"] gallery-chat`);
          await scene.evaluate(moveToCorner);
          await expect.soft(scene).toHaveScreenshot(`${id}-${variant}.png`, picture);
          await scene.evaluate((element) => element.removeAttribute('style'));
        }
        await page.locator('#panel-table gallery-chat .md-table + button').click();
        const dialog = page.locator('#panel-table gallery-chat .table-dialog');
        await expect.soft(dialog).toHaveScreenshot(`table-dialog-${variant}.png`, picture);
      });

      it(`the launcher, the empty panel, the menu and the composer look like their ${variant} pictures`, async ({
        openElement,
      }) => {
        const widget = await openElement();
        const { page } = widget;
        await expect
          .soft(page.locator('workspace-chat .launcher'))
          .toHaveScreenshot(`launcher-${variant}.png`, picture);
        await widget.open();
        await expect.soft(panelOf(widget)).toHaveScreenshot(`panel-empty-${variant}.png`, picture);

        const menuButton = page.locator('workspace-chat [aria-haspopup=menu]');
        await menuButton.click();
        const menu = page.getByRole('menu');
        await expect(menu).toBeVisible();
        await expect.soft(menu).toHaveScreenshot(`menu-${variant}.png`, picture);
        await page.keyboard.press('Escape');
        await expect(menu).toBeHidden();

        const composer = page.locator('workspace-chat workspace-chat-composer');
        await widget.input.fill('When are you open on Friday?\nAnd on Saturday?');
        await expect.soft(composer).toHaveScreenshot(`composer-text-${variant}.png`, picture);
        await widget.input.fill('a'.repeat(8_003));
        const banner = page.locator('workspace-chat .banner');
        await expect(banner).toBeVisible();
        await expect.soft(banner).toHaveScreenshot(`banner-${variant}.png`, picture);
        await expect.soft(composer).toHaveScreenshot(`composer-error-${variant}.png`, picture);
      });
    });
  }
};
