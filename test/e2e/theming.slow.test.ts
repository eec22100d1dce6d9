import type { FrameLocator } from '@playwright/test';
import { expect, it } from '../support/fixtures.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';

it.describe('the theme studio', () => {
  it.beforeEach(async ({ page, demo }) => {
    await page.goto(`${demo.url}theming.html`);
    await expect(page.locator('#verdict')).toHaveText('All pairs have enough contrast for WCAG AA.');
  });

  const header = (frame: FrameLocator) => frame.locator('[color-scheme=light] .header').first();

  it('a changed property is shown in the preview and in the CSS, and can be undone', async ({ page }) => {
    await page.getByLabel('Accent', { exact: true }).fill('#0b6e4f');
    await expect(page.locator('#css')).toHaveText('workspace-chat {\n  --workspace-chat-accent: #0b6e4f;\n}');
    const launcher = page.frameLocator('#preview').locator('[color-scheme=light] .launcher').first();
    await expect(launcher).toHaveCSS('background-color', 'rgb(11, 110, 79)');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(launcher).toHaveCSS('background-color', 'rgb(47, 95, 208)');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  });

  it('a color with too little contrast is moved to the nearest one that passes', async ({ page }) => {
    await page.getByLabel('Secondary text: light').fill('#c0c4cc');
    const fix = page.getByRole('button', { name: 'Fix secondary text, light' });
    await fix.click();
    await expect(fix).toHaveCount(0);
    await expect(page.locator('#verdict')).toHaveText('All pairs have enough contrast for WCAG AA.');
    await expect(page.locator('#css')).toContainText(/--workspace-chat-muted: light-dark\(#7\w{5}, #a4abb9\);/);
  });

  it('all failing pairs of a theme can be fixed together', async ({ page }) => {
    await page.getByText('Import a theme').click();
    await page
      .getByLabel('CSS of the theme')
      .fill('--workspace-chat-surface: #808080; --workspace-chat-header: #ffe000; --workspace-chat-on-header: #fff;');
    await page.getByRole('button', { name: 'Import' }).click();
    await expect(page.locator('#imported')).toHaveText('3 properties imported.');
    await expect(page.locator('#verdict')).toContainText('below the required contrast');
    await page.getByRole('button', { name: 'Fix all' }).click();
    await expect(page.locator('#verdict')).toHaveText('All pairs have enough contrast for WCAG AA.');
  });

  it('a value that is not valid CSS for its property does not reach the style sheet', async ({ page }) => {
    await page.getByText('Corners', { exact: true }).first().click();
    const radius = page.getByLabel('Corners', { exact: true });
    await radius.fill('1em } body { display: none');
    await expect(radius).toHaveAttribute('aria-invalid', 'true');
    await expect(page.locator('#css')).toHaveText('/* No property is changed. */');
    await page.getByText('Import a theme').click();
    await page.getByLabel('CSS of the theme').fill('--workspace-chat-radius: blue; --workspace-chat-accent: tomato;');
    await page.getByRole('button', { name: 'Import' }).click();
    await expect(page.locator('#imported')).toHaveText('1 property imported. Not valid: radius: blue');
  });

  it('the colors of a page become a theme', async ({ page }) => {
    await page.getByText('Take the colors of a page').click();
    await page
      .getByLabel('CSS of your page')
      .fill('body { background: #fbf7f0; color: #2b2118 } a, .b { color: rgb(164 71 43) } .c { background: #a4472b }');
    await page.getByRole('button', { name: 'Find colors' }).click();
    await page.getByRole('button', { name: 'Use these' }).click();
    await expect(page.locator('#css')).toContainText('--workspace-chat-accent: #a4472b;');
    await expect(page.locator('#css')).toContainText('--workspace-chat-surface: #fbf7f0;');
    await expect(page.locator('#css')).toContainText('--workspace-chat-text: #2b2118;');
  });

  it('the link restores the theme, and a preset replaces it', async ({ page, demo, newPage }) => {
    await page.getByRole('button', { name: 'Sunflower' }).click();
    const frame = page.frameLocator('#preview');
    await expect(header(frame)).toHaveCSS('background-color', 'rgb(242, 183, 5)');
    const other = await newPage();
    await other.goto(`${demo.url}theming.html${new URL(page.url()).hash}`);
    await expect(header(other.frameLocator('#preview'))).toHaveCSS('background-color', 'rgb(242, 183, 5)');
    await other.getByRole('button', { name: 'Brutalist' }).click();
    await expect(header(other.frameLocator('#preview'))).toHaveCSS('background-color', 'rgb(230, 255, 0)');
  });

  it('axe finds no violation on the page', async ({ page }) => {
    await page.locator('details').evaluateAll((all: HTMLDetailsElement[]) => {
      for (const details of all) details.open = true;
    });
    await page.getByLabel('Secondary text: light').fill('#c0c4cc');
    await expect(page.getByRole('button', { name: 'Fix all' })).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
