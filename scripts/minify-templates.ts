/**
 * Takes comments and indentation out of the element's templates and styles when it is built for a script tag, and gives
 * its private custom properties short names.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const minifyCss = (text: string) =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}');

// A line break between tags may stand for a space that shows: one space stays.
const minifyMarkup = (text: string) => text.replace(/<!--[^]*?-->/g, '').replace(/\s*\n\s*/g, '\n');

const minifiers: Record<string, (text: string) => string> = { css: minifyCss, html: minifyMarkup, svg: minifyMarkup };

const privateName = /--_[\w-]+/g;

/**
 * A short name for each private custom property that has a value in any case, which no page's own can get through: the
 * same in every chunk and every build of the same sources.
 */
const shortNames = (): Map<string, string> => {
  const folder = fileURLToPath(new URL('../src', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/--_[\w-]+(?=:)/g) ?? []);
  return new Map([...new Set(found)].sort().map((name, index) => [name, `--_${index.toString(36)}`]));
};

interface TemplateNode {
  type: string;
  tag: { name?: string };
  quasi: { quasis: { start: number; end: number }[] };
}

const isTemplate = (node: unknown): node is TemplateNode =>
  typeof node === 'object' && node !== null && (node as TemplateNode).type === 'TaggedTemplateExpression';

export const minifyTemplates = (names = shortNames()): Plugin => ({
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
      return { code: result.replace(privateName, (name) => names.get(name) ?? name), map: null };
    },
  },
});
