import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { minifyTemplates } from './scripts/minify-templates.ts';
import manifest from './package.json' with { type: 'json' };

const npm: Record<string, string> = { index: 'src/index.ts', element: 'src/element.ts' };
/** Modules, and classic scripts that are one file each. */
const cdn: Record<string, string> = {
  'workspace-chat': 'src/entries/cdn.ts',
  embed: 'src/entries/embed.ts',
};
const classic = new Set(['embed']);
/** By mode: the classic scripts with everything in them. */
const alone: Record<string, string> = { standalone: 'src/entries/standalone.ts', webview: 'src/entries/webview.ts' };

/** A classic script's names would be the page's: they get a scope of their own. */
const wrapClassic = (): Plugin => ({
  name: 'wrap-classic',
  renderChunk(code, { name, isEntry, imports, exports }) {
    if (!isEntry || !classic.has(name)) return null;
    if (imports.length + exports.length > 0) throw new Error(`${name}.js is a classic script and must stand alone.`);
    return { code: `(() => {\n${code}\n})();\n`, map: null };
  },
});

const exportAll = `const __exportAll = (all) => Object.keys(all).reduce(
  (names, name) => Object.defineProperty(names, name, { get: all[name], enumerable: true }), {});`;

/**
 * Rolldown's own way through an object's names would meet those that a page has added to `Object.prototype`, and lies in a
 * file for which the core and the panel would wait.
 */
const ownNames = (): Plugin => ({
  name: 'own-names',
  renderChunk(code, { name }) {
    if (name === 'rolldown-runtime' || !code.includes('__exportAll')) return null;
    const own = code
      .replace(/import \{ \w+ as __exportAll \} from "[^"]*";/, exportAll)
      .replace(/var __exportAll = \(all, no_symbols\) => \{[^]*?\n\t?\};/, exportAll);
    if (own === code) throw new Error('Rolldown’s __exportAll is not what it was: see what it does now.');
    return { code: own, map: null };
  },
  generateBundle(_options, bundle) {
    const helpers = Object.keys(bundle).find((file) => file.startsWith('rolldown-runtime'));
    if (!helpers) return;
    const isWanted = Object.values(bundle).some((chunk) => chunk.type === 'chunk' && chunk.code.includes(helpers));
    if (!isWanted) delete bundle[helpers];
  },
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The page of an app's webview, which is nothing but its script. */
const webviewPage = (): Plugin => ({
  name: 'webview-page',
  generateBundle() {
    const source = readFileSync(pathOf('src/products/webview/webview.html'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'webview.html', source });
  },
});

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];

/** The file, and all that comes with it without being asked for. */
const closure = (id: string, graph: Graph, files = new Set<string>()): Set<string> => {
  if (files.has(id)) return files;
  files.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closure(imported, graph, files);
  return files;
};

/** The core is one chunk: what later chunks share with it would else be files of their own, for each set of them. */
const chunkOf: Rolldown.CodeSplittingNameFunction = (id, graph) => {
  if (closure(pathOf('src/entries/cdn.ts'), graph).has(id)) return null;
  return closure(pathOf('src/workspace-chat/core.ts'), graph).has(id) ? 'core' : null;
};

/**
 * `vite build` makes the modules for npm, `--mode cdn` the files for a script tag, and after it `--mode
 * standalone` and `--mode webview` the classic scripts with everything in them.
 */
export default defineConfig(({ mode }) => {
  const isStandalone = Object.hasOwn(alone, mode);
  const isCdn = mode === 'cdn';
  return {
    publicDir: false as const,
    plugins: [
      (isCdn || isStandalone) && minifyTemplates(),
      isCdn && wrapClassic(),
      (isCdn || isStandalone) && ownNames(),
      mode === 'webview' && webviewPage(),
    ],
    build: {
      target: 'es2022',
      outDir: isCdn || isStandalone ? 'dist/cdn' : 'dist',
      emptyOutDir: !isStandalone,
      modulePreload: false as const,
      // Terser makes of the same code some 2 % less than what minifies after it.
      minify: (isCdn || isStandalone) && ('terser' as const),
      terserOptions: { module: isCdn, ecma: 2020 as const, compress: { passes: 3, inline: false } },
      lib: isStandalone
        ? { entry: { [mode]: alone[mode]! }, formats: ['iife' as const], name: 'unused' }
        : { entry: isCdn ? cdn : npm, formats: ['es' as const] },
      rolldownOptions: {
        external:
          isCdn || isStandalone ? [] : Object.keys(manifest.dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
        // What the stages share lives in the first one, so that it is one file.
        preserveEntrySignatures: isCdn ? ('allow-extension' as const) : ('strict' as const),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: isCdn ? '[name]-[hash].js' : 'chunks/[name]-[hash].js',
          minify: isCdn || isStandalone,
          comments: { annotation: !isCdn && !isStandalone },
          ...(isStandalone && { codeSplitting: false }),
          ...(isCdn && {
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: 'core' }] },
          }),
        },
      },
    },
  };
});
