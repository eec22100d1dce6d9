import type { Locator, Page } from '@playwright/test';
import { expect, it as base } from '../support/fixtures.ts';

/** What a designer asks for, as computed styles: a part, a CSS property, and its value. */
type Brief = readonly (readonly [part: string, property: string, value: string | RegExp])[];

interface Brand {
  name: string;
  scheme: 'light' | 'dark';
  brief: Brief;
}

const brands: readonly Brand[] = [
  {
    name: 'brutalist',
    scheme: 'light',
    brief: [
      ['header', 'background-color', 'rgb(230, 255, 0)'],
      ['status', 'color', 'rgb(0, 0, 0)'],
      ['heading', 'text-transform', 'uppercase'],
      ['heading', 'font-family', /^"Space Mono"/],
      ['option', 'border-radius', '0px'],
      ['field-box', 'border-radius', '0px'],
      ['menu', 'background-color', 'rgb(0, 0, 0)'],
      ['menu', 'border-width', '2px'],
      ['launcher', 'border-radius', '0px'],
      ['launcher', 'transition-duration', '0s'],
      ['bubble', 'border-width', '2px'],
      ['panel', 'background-color', 'rgb(0, 0, 0)'],
    ],
  },
  {
    name: 'pastel',
    scheme: 'light',
    brief: [
      ['header', 'background-color', 'rgb(233, 220, 249)'],
      ['icon-button', 'color', 'rgb(61, 51, 71)'],
      ['heading', 'font-family', /^"Noto Sans"/],
      ['option', 'border-radius', '22.5px'],
      ['field-box', 'border-radius', '24px'],
      ['menu', 'background-color', 'rgb(246, 237, 249)'],
      ['menu', 'border-radius', '20px'],
      ['launcher', 'background-color', 'rgb(183, 156, 240)'],
      ['launcher', 'border-radius', '20px'],
      ['message-visitor bubble', 'background-color', 'rgb(251, 215, 228)'],
      ['message-agent bubble', 'background-color', 'rgb(226, 243, 236)'],
      ['panel', 'background-color', 'rgb(255, 250, 253)'],
    ],
  },
  {
    name: 'corporate',
    scheme: 'dark',
    brief: [
      ['header', 'background-color', 'rgb(11, 61, 107)'],
      ['status', 'color', 'rgb(255, 255, 255)'],
      ['heading', 'font-family', /^"Source Serif 4"/],
      ['input', 'font-size', '17px'],
      ['option', 'border-radius', '3.98438px'],
      ['field-box', 'border-radius', '4.25px'],
      ['menu', 'background-color', 'rgb(30, 42, 54)'],
      ['menu', 'border-color', 'rgb(11, 61, 107)'],
      ['launcher', 'border-radius', '4.25px'],
      ['message-visitor bubble', 'background-color', 'rgb(23, 70, 111)'],
      ['message-agent bubble', 'background-color', 'rgb(30, 42, 54)'],
      ['message-agent bubble', 'color', 'rgb(232, 238, 244)'],
    ],
  },
];

const it = base.extend<{ openBrand(brand: Brand): Promise<Page> }>({
  openBrand: async ({ newPage, demo }, use) => {
    await use(async ({ name, scheme }) => {
      const page = await newPage({ viewport: { width: 400, height: 900 } });
      await page.goto(`${demo.url}gallery.html?scene=brand-${name}&language=en&scheme=${scheme}`);
      await page.locator('gallery-chat [part=option]').first().waitFor();
      return page;
    });
  },
});

/** Finds the first element with the last of the parts, inside elements with the others. */
const partOf = (page: Page, parts: string): Locator =>
  page.locator(
    parts
      .split(' ')
      .map((part) => `[part~="${part}"]`)
      .join(' '),
  );

for (const brand of brands) {
  it(`the public properties and parts make the brand “${brand.name}” as its brief asks`, async ({ openBrand }) => {
    const page = await openBrand(brand);
    await page.locator('gallery-chat [aria-haspopup=menu]').click();
    await expect(page.getByRole('menu')).toBeVisible();
    for (const [part, property, value] of brand.brief)
      await expect.soft(partOf(page, part).first(), `${part}: ${property}`).toHaveCSS(property, value);
  });
}

it('the corporate brand loads its own font from the site', async ({ openBrand }) => {
  const page = await openBrand(brands[2]!);
  expect(await page.evaluate(`document.fonts.ready.then(() => document.fonts.check('16px "Source Serif 4"'))`)).toBe(
    true,
  );
  const fonts = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.woff2'))`,
  );
  expect(fonts.length).toBeGreaterThan(0);
  expect(new Set(fonts.map((url) => new URL(url).origin))).toEqual(new Set([new URL(page.url()).origin]));
});

it('a label makes the launcher a pill that fits on a narrow screen, in both directions', async ({ newPage, demo }) => {
  for (const language of ['en', 'ar']) {
    const page = await newPage({ viewport: { width: 320, height: 700 } });
    await page.goto(`${demo.url}?lang=${language}`);
    const label = language === 'ar' ? 'هل تحتاج إلى مساعدة في اختيار هديتك؟' : 'Do you need help with choosing a gift?';
    await page.locator('workspace-chat').evaluate((chat, text) => chat.setAttribute('launcher-label', text), label);
    const launcher = page.getByRole('button', { name: label });
    await expect(launcher).toBeVisible();
    const { x, y, width, height } = (await launcher.boundingBox())!;
    expect(width).toBeGreaterThan(height * 2);
    expect(x >= 0 && y >= 0 && x + width <= 320 && y + height <= 700).toBe(true);
    const text = launcher.locator('bdi');
    const icon = launcher.locator('svg');
    const [textBox, iconBox] = [(await text.boundingBox())!, (await icon.boundingBox())!];
    expect(textBox.x >= x && textBox.x + textBox.width <= x + width, 'the text is inside the pill').toBe(true);
    expect(iconBox.x < textBox.x, 'the icon is at the start').toBe(language === 'en');
  }
});
