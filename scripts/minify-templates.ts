/** A Vite plugin that removes comments, indentation and leading zeros from the `html`, `svg` and `css` templates of a build. */
import { MagicString } from 'magic-string';
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
      const result = new MagicString(code);
      const visit = (node: unknown): void => {
        if (typeof node !== 'object' || node === null) return;
        if (isTemplate(node)) {
          const minify = minifiers[node.tag.name ?? ''];
          for (const { start, end } of minify ? node.quasi.quasis : [])
            if (end > start) result.update(start, end, minify!(code.slice(start, end)));
        }
        for (const child of Object.values(node)) visit(child);
      };
      visit(this.parse(code));
      if (!result.hasChanged()) return null;
      return { code: result.toString(), map: result.generateMap({ hires: true }) };
    },
  },
});
