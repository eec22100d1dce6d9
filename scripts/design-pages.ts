/**
 * Makes the gallery and the theme studio single HTML files. The studio contains the gallery: a page that is opened as a file may
 * not change another file in a frame.
 *
 * Run `tsx scripts/design-pages.ts <folder>` to write them.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { buildSinglePage, replaceInHtml } from './single-page.ts';

/** Removes the fonts of the demo and of its brands, which would be files of their own. */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.css') ? code.replaceAll(/@import ['"](?:\.\/fonts\.css|@fontsource\/[^'"]*)['"];/g, '') : null,
};

/** Returns the HTML of the pages by their file names. */
export const buildDesignPages = async (): Promise<Record<string, string>> => {
  const gallery = await buildSinglePage('gallery.html', [withoutFonts]);
  const studio = await buildSinglePage('theming.html', [
    withoutFonts,
    replaceInHtml('theming.html', [
      // Without `<`, nothing in the gallery ends the script.
      [
        '  </head>',
        `    <script type="application/json" id="gallery">${JSON.stringify(gallery).replaceAll('<', String.raw`\u003c`)}</script>\n  </head>`,
      ],
    ]),
  ]);
  return { 'gallery.html': gallery, 'theme-studio.html': studio };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (!folder) throw new Error('Name the folder to write to, such as docs/public.');
  for (const [name, html] of Object.entries(await buildDesignPages())) await writeFile(join(folder, name), html);
}
