/**
 * Makes the installer a single HTML file that contains its scripts, styles and the widget, so that it works from any server,
 * and when it is opened as a file.
 *
 * Run `tsx scripts/installer.ts <file>` to write it.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { minifyTemplates } from './vite-plugins.ts';

const pages = fileURLToPath(new URL('../demo', import.meta.url));

/** Removes what only the demo's server has, and sets the default address of `embed.js`. */
const withoutServer = (scriptUrl: string): Plugin => ({
  name: 'installer-without-server',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => {
      const replacements: [string, string][] = [
        ['    <link rel="stylesheet" href="fonts.css" />\n', ''],
        [' data-values="/config.json"', ''],
        ['value="cdn/embed.js"', `value="${scriptUrl}"`],
      ];
      return replacements.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`demo/doctor.html has no ${from.trim()}.`);
        return text.replace(from, to);
      }, html);
    },
  },
});

/**
 * Builds the installer and returns its HTML.
 * @param scriptUrl The address of `embed.js` that it suggests: absolute, relative to the installer, or empty.
 */
export const buildInstaller = async (scriptUrl: string): Promise<string> => {
  const { output } = (await build({
    root: pages,
    configFile: false,
    logLevel: 'error',
    plugins: [withoutServer(scriptUrl), minifyTemplates()],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: `${pages}/doctor.html`, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const files = new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)] as const),
  );
  const html = files.get('doctor.html');
  if (html === undefined) throw new Error('The build of demo/doctor.html made no HTML.');
  const contentOf = (path: string): string => {
    const content = files.get(path.replace(/^\//, ''));
    if (content === undefined) throw new Error(`demo/doctor.html loads ${path}, which cannot be put into it.`);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , file] = process.argv;
  if (!file) throw new Error('Name the file to write, such as docs/public/installer.html.');
  await writeFile(file, await buildInstaller(''));
}
