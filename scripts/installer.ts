/**
 * Makes the installer a single HTML file, with the widget in it.
 *
 * Run `tsx scripts/installer.ts <file>` to write it.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildSinglePage, replaceInHtml } from './single-page.ts';

/**
 * Builds the installer and returns its HTML, without what only the demo's server has.
 * @param scriptUrl The address of `embed.js` that it suggests: absolute, relative to the installer, or empty.
 */
export const buildInstaller = (scriptUrl: string): Promise<string> =>
  buildSinglePage('doctor.html', [
    replaceInHtml('doctor.html', [
      ['    <link rel="stylesheet" href="fonts.css" />\n', ''],
      [' data-values="/config.json"', ''],
      ['value="cdn/embed.js"', `value="${scriptUrl}"`],
    ]),
  ]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv;
  if (!file) throw new Error('Name the file to write, such as docs/public/installer.html.');
  await writeFile(file, await buildInstaller(''));
}
