import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator } from '@playwright/test';
import { buildSinglePages } from '../../scripts/single-pages.ts';
import { expect, it } from '../support/fixtures.ts';
import { accessibilityViolations } from '../support/pages/axe.ts';
import { makeFolder } from '../support/servers/built-widget.ts';

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

  it('a color that is not set is shown as the preview renders it in both schemes, and follows the others', async ({
    page,
  }) => {
    await page.getByText('Header and messages', { exact: true }).click();
    const frame = page.frameLocator('#preview');
    for (const scheme of ['light', 'dark']) {
      const bubble = frame.locator(`[color-scheme=${scheme}]`).first();
      const rendered = () =>
        bubble.evaluate((chat) => {
          const probe = chat.shadowRoot!.appendChild(document.createElement('i'));
          probe.style.color = 'var(--_agent-bubble)';
          const canvas = document.createElement('canvas').getContext('2d')!;
          canvas.fillStyle = getComputedStyle(probe).color;
          canvas.fillRect(0, 0, 1, 1);
          probe.remove();
          const hex = Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3), (each) =>
            each.toString(16).padStart(2, '0'),
          );
          return `#${hex.join('')}`;
        });
      await page.getByLabel('Accent', { exact: true }).fill('#2f5fd0');
      const field = page.getByLabel(`Agent’s bubble: ${scheme}`);
      await expect.poll(async () => (await field.inputValue()) === (await rendered())).toBe(true);
      const before = await rendered();
      await page.getByLabel('Accent', { exact: true }).fill('#a4472b');
      await expect.poll(async () => (await field.inputValue()) === (await rendered())).toBe(true);
      expect(await rendered()).not.toBe(before);
    }
    await page.getByLabel('Agent’s bubble: dark').fill('#303030');
    await expect(page.locator('#css')).toContainText(/--workspace-chat-agent-bubble: light-dark\(#f\w{5}, #303030\);/);
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

it('the studio and the gallery of a release work when they are opened as files', async ({ newPage }) => {
  const { folder, remove } = await makeFolder();
  try {
    for (const [name, html] of Object.entries(await buildSinglePages())) await writeFile(join(folder, name), html);
    const page = await newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(pathToFileURL(join(folder, 'theme-studio.html')).href);
    await expect(page.locator('#verdict')).toHaveText('All pairs have enough contrast for WCAG AA.');
    await page.getByLabel('Accent', { exact: true }).fill('#0b6e4f');
    const launcher = page.frameLocator('#preview').locator('[color-scheme=light] .launcher').first();
    await expect(launcher).toHaveCSS('background-color', 'rgb(11, 110, 79)');
    await page.getByLabel('Show').selectOption('form');
    await expect(page.frameLocator('#preview').locator('gallery-chat form').first()).toBeVisible();
    await expect(page.frameLocator('#preview').locator('section')).toHaveCount(1);
    await page.reload();
    await expect(page.locator('#css')).toHaveText('workspace-chat {\n  --workspace-chat-accent: #0b6e4f;\n}');
    await page.goto(`${pathToFileURL(join(folder, 'gallery.html')).href}?scene=form&language=ar`);
    await expect(page.locator('gallery-chat form').first()).toBeVisible();
    expect(requested.filter((url) => !/^(file|data|about|blob):/.test(url))).toEqual([]);
  } finally {
    await remove();
  }
});
