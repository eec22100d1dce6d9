/** Builds a page of the demo as a single HTML file that contains its scripts and styles. It works from any server, and as a file. */
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { minifyTemplates } from './vite-plugins.ts';

const pages = fileURLToPath(new URL('../demo', import.meta.url));

/**
 * Changes the HTML of a page before it is built.
 * @throws {Error} When a text is not there.
 */
export const replaceInHtml = (
  page: string,
  replacements: readonly (readonly [from: string, to: string])[],
): Plugin => ({
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
export const buildSinglePage = async (page: string, plugins: readonly Plugin[] = []): Promise<string> => {
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
