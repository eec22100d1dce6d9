/** A Vite plugin that removes comments, indentation and leading zeros from the `html`, `svg` and `css` templates of a build. */
import type { Plugin } from 'vite';

const minifyCss = (text: string) =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/([ (,:])0\.(?=\d)/g, '$1.')
    .replace(/;}/g, '}');

// A line break between tags can be a visible space, so one line break stays.
const minifyMarkup = (text: string) => text.replace(/<!--[^]*?-->/g, '').replace(/\s*\n\s*/g, '\n');

const minifiers: Record<string, (text: string) => string> = { css: minifyCss, html: minifyMarkup, svg: minifyMarkup };

interface TemplateNode {
  type: string;
  tag: { name?: string };
  quasi: { quasis: { start: number; end: number }[] };
}

const isTemplate = (node: unknown): node is TemplateNode =>
  typeof node === 'object' && node !== null && (node as TemplateNode).type === 'TaggedTemplateExpression';

export const minifyTemplates = (): Plugin => ({
  name: 'minify-templates',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/.*\.ts$/ },
    handler(code) {
      const parts: { start: number; end: number; minify: (text: string) => string }[] = [];
      const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        if (isTemplate(node)) {
          const minify = minifiers[node.tag.name ?? ''];
          if (minify) for (const { start, end } of node.quasi.quasis) parts.push({ start, end, minify });
        }
        for (const child of Object.values(node)) visit(child);
      };
      visit(this.parse(code));
      let result = code;
      for (const { start, end, minify } of parts.sort((a, b) => b.start - a.start)) {
        result = result.slice(0, start) + minify(result.slice(start, end)) + result.slice(end);
      }
      return { code: result, map: null };
    },
  },
});
