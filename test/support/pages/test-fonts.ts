/** Gives a page the fonts of npm packages, so that no picture depends on the fonts of the machine. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';

const require = createRequire(import.meta.url);
const origin = 'https://fonts.test/';

const weights = ['400', '500', '600', '700'];
const packages: Record<string, string[]> = {
  'noto-sans': weights,
  'noto-sans-arabic': weights,
  'noto-emoji': ['400'],
  'noto-sans-symbols-2': ['400'],
};

const folderOf = (name: string): string => dirname(require.resolve(`@fontsource/${name}/package.json`));

const fontFaces = (): string =>
  Object.entries(packages)
    .flatMap(([name, files]) =>
      files.map((file) =>
        readFileSync(join(folderOf(name), `${file}.css`), 'utf8').replaceAll('./files/', origin + `${name}/`),
      ),
    )
    .join('\n');

const families = `'Noto Sans', 'Noto Sans Arabic', 'Noto Sans Symbols 2', 'Noto Emoji'`;

/** Applies the fonts to the elements that `selector` matches, and waits until they have loaded. */
export const applyTestFonts = async (page: Page, selector: string): Promise<void> => {
  await page.route(`${origin}**`, (route) => {
    const [name = '', file = ''] = new URL(route.request().url()).pathname.slice(1).split('/');
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill({ path: join(folderOf(name), 'files', file), headers });
  });
  // Chromium would otherwise take emoji from a color font of the system.
  const rule = `${selector} { --workspace-chat-font: ${families}; font-variant-emoji: text; }`;
  await page.addStyleTag({ content: `${fontFaces()}\n${rule}` });
  await page.evaluate(() => document.fonts.ready);
};
