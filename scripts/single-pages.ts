/**
 * Builds the installer, the gallery and the theme studio as single HTML files, each with its scripts and styles in it, and the
 * widget. They work from any server, and as files.
 *
 * Run `tsx scripts/single-pages.ts <folder>` to write them.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { minifyTemplates } from './vite-plugins.ts';

const pages = fileURLToPath(new URL('../demo', import.meta.url));

/**
 * Changes the HTML of a page before it is built.
 * @throws {Error} When a text is not there.
 */
const replaceInHtml = (page: string, replacements: readonly (readonly [from: string, to: string])[]): Plugin => ({
  name: 'replace-in-html',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      replacements.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`demo/${page} has no ${from.trim()}.`);
        return text.replace(from, () => to);
      }, html),
  },
});

/**
 * Builds a page and returns its HTML.
 * @param page The name of the file in `demo/`.
 */
const buildPage = async (page: string, plugins: readonly Plugin[] = []): Promise<string> => {
  const { output } = (await build({
    root: pages,
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins, minifyTemplates()],
    build: {
      write: false,
      target: 'es2022',
      // A lowered `light-dark()` would ignore the color scheme of a chat inside of the page.
      cssTarget: 'esnext',
      modulePreload: false,
      rolldownOptions: { input: `${pages}/${page}`, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const files = new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)] as const),
  );
  const html = files.get(page);
  if (html === undefined) throw new Error(`The build of demo/${page} made no HTML.`);
  const contentOf = (path: string): string => {
    const content = files.get(path.replace(/^\//, ''));
    if (content === undefined) throw new Error(`demo/${page} loads ${path}, which cannot be put into it.`);
    return content;
  };
  return html
    .replace(
      /<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g,
      (_, path: string) => `<style>${contentOf(path)}</style>`,
    )
    .replace(
      /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/g,
      (_, path: string) =>
        `<script type="module">${contentOf(path).replaceAll('</script', String.raw`<\/script`)}</script>`,
    );
};

/** Removes the fonts of the demo and of its brands, which would be files of their own. */
const withoutFonts: Plugin = {
  name: 'without-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.css') ? code.replaceAll(/@import ['"](?:\.\/fonts\.css|@fontsource\/[^'"]*)['"];/g, '') : null,
};

/** Builds the installer, without what only the demo's server has. */
const buildInstaller = (scriptUrl: string): Promise<string> =>
  buildPage('doctor.html', [
    replaceInHtml('doctor.html', [
      ['    <link rel="stylesheet" href="fonts.css" />\n', ''],
      [' data-values="/config.json"', ''],
      ['value="cdn/embed.js"', `value="${scriptUrl}"`],
    ]),
  ]);

/**
 * Builds the theme studio, which contains the gallery: a page that is opened as a file may not change another file in a frame.
 * @param gallery The HTML of the gallery.
 */
const buildStudio = (gallery: string): Promise<string> =>
  buildPage('theming.html', [
    withoutFonts,
    replaceInHtml('theming.html', [
      // Without `<`, nothing in the gallery ends the script.
      [
        '  </head>',
        `    <script type="application/json" id="gallery">${JSON.stringify(gallery).replaceAll('<', String.raw`\u003c`)}</script>\n  </head>`,
      ],
    ]),
  ]);

/**
 * Returns the HTML of the pages by their file names.
 * @param scriptUrl The address of `embed.js` that the installer suggests: absolute, relative to it, or empty.
 */
export const buildSinglePages = async (scriptUrl = ''): Promise<Record<string, string>> => {
  const gallery = await buildPage('gallery.html', [withoutFonts]);
  return {
    'installer.html': await buildInstaller(scriptUrl),
    'gallery.html': gallery,
    'theme-studio.html': await buildStudio(gallery),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (!folder) throw new Error('Name the folder to write to, such as docs/public.');
  for (const [name, html] of Object.entries(await buildSinglePages())) await writeFile(join(folder, name), html);
}
