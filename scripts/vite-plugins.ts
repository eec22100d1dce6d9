/**
 * The Vite plugins of the builds: the files of the script tag (the launcher, the chat with everything that a conversation needs, and
 * the texts of a language), and smaller templates.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MagicString } from 'magic-string';
import type { Plugin } from 'vite';

/** The part of the bundler's module graph that is used. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Returns the modules that a module imports statically, directly or indirectly, and the module itself. */
const closure = (id: string, graph: ModuleGraph, found = new Set<string>()): Set<string> => {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closure(imported, graph, found);
  return found;
};

const isIn = (entry: string) => {
  let modules: Set<string> | null = null;
  return (id: string, graph: ModuleGraph): boolean => (modules ??= closure(pathOf(entry), graph)).has(id);
};
const isInLauncher = isIn('src/entries/cdn.ts');
const isInChat = isIn('src/workspace-chat/chat-file.ts');

/**
 * The bundler's option. By itself it moves the modules that the chat shares with the extras into further files, which would cost
 * every visitor a request each.
 */
export const threeFiles = {
  includeDependenciesRecursively: false,
  groups: [
    {
      debugName: 'launcher and chat',
      name: (id: string, graph: ModuleGraph): string | null =>
        isInLauncher(id, graph) ? 'workspace-chat' : isInChat(id, graph) ? 'chat' : null,
    },
  ],
};

/**
 * The first line of the launcher's and the chat's file. Chromium compiles all functions of such a file in another thread while it
 * loads. Most of them run until one can type, so with it a page costs 10 % less work on a slow phone, and opening takes 20 % less time.
 */
export const compileHint = ({ name }: { name: string }): string =>
  ['workspace-chat', 'chat'].includes(name) ? '//# allFunctionsCalledOnLoad' : '';

/** A Vite plugin for builds of one classic script, which contains the files that the modules load on demand. */
export const bundleFiles = (): Plugin => ({
  name: 'bundle-files',
  apply: 'build',
  enforce: 'pre',
  resolveId: {
    filter: { id: /\/(?:chat-extras|files)\.ts$/ },
    handler: (id) => pathOf(`src/workspace-chat/bundled-${basename(id)}`),
  },
});

/** The modules whose files the launcher prefetches and imports by their URLs. */
const prefetched = { chat: 'src/workspace-chat/chat-file.ts', en: 'src/locale/en.ts', ar: 'src/locale/ar.ts' };

/** The text in place of the name of a chunk’s file until the bundler has named the files. */
const placeholder = (name: string): string => `file-of-chunk:${name}`;

/** The module in place of `src/workspace-chat/built-files.ts`. A repeated request has a URL of its own. */
const builtFilesModule = `
const folder = import.meta.resolve('./');
export const builtFiles = {
  ${Object.keys(prefetched)
    .map((name) => `${name}: folder + '${placeholder(name)}'`)
    .join(',\n  ')}
};
// The hashes of an import map hold only for the URL as it is.
const hasHashes = () => document.querySelector('script[type=importmap]') !== null;
const load = (url, attempt) => import(attempt && !hasHashes() ? \`\${url}?\${attempt}\` : url);
export const importChat = (attempt) => load(builtFiles.chat, attempt);
export const importStrings = {
  en: (attempt) => load(builtFiles.en, attempt),
  ar: (attempt) => load(builtFiles.ar, attempt),
};
export const importLocale = (name, attempt) => load(folder + 'locales/' + name + '.js', attempt);
`;

/** A Vite plugin that tells the launcher the URLs of the files behind it. */
export const fillBuiltFiles = (): Plugin => ({
  name: 'fill-built-files',
  apply: 'build',
  buildStart() {
    for (const [name, file] of Object.entries(prefetched)) this.emitFile({ type: 'chunk', name, id: pathOf(file) });
  },
  load: {
    filter: { id: /\/src\/workspace-chat\/built-files\.ts$/ },
    handler: () => builtFilesModule,
  },
  renderChunk(code, _chunk, _options, { chunks }) {
    const result = new MagicString(code);
    for (const name of Object.keys(prefetched)) {
      const file = Object.values(chunks).find((chunk) => chunk.name === name)?.fileName;
      if (!file) throw new Error(`There is no chunk "${name}" to prefetch.`);
      result.replaceAll(placeholder(name), file);
    }
    return result.hasChanged() ? { code: result.toString(), map: result.generateMap({ hires: true }) } : null;
  },
});

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

/** Removes comments, indentation and leading zeros from the `html`, `svg` and `css` templates of a build. */
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
