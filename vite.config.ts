import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { minifyTemplates } from './demo/minify-templates.ts';
import manifest from './package.json' with { type: 'json' };

const npm: Record<string, string> = { index: 'src/index.ts', element: 'src/element.ts' };
/** Modules, and classic scripts that are one file each. */
const cdn: Record<string, string> = {
  'workspace-chat': 'src/script-tag.ts',
  embed: 'src/embed.ts',
};
const classic = new Set(['embed']);

/** A classic script's names would be the page's: they get a scope of their own. */
const wrapClassic = (): Plugin => ({
  name: 'wrap-classic',
  renderChunk(code, { name, isEntry, imports, exports }) {
    if (!isEntry || !classic.has(name)) return null;
    if (imports.length + exports.length > 0) throw new Error(`${name}.js is a classic script and must stand alone.`);
    return { code: `(() => {\n${code}\n})();\n`, map: null };
  },
});

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

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
  if (closure(pathOf('src/script-tag.ts'), graph).has(id)) return null;
  return closure(pathOf('src/core.ts'), graph).has(id) ? 'core' : null;
};

/**
 * `vite build` makes the modules for npm, `--mode cdn` the files for a script tag, and `--mode standalone`, after it,
 * the one classic script with everything in it.
 */
export default defineConfig(({ mode }) => {
  const isStandalone = mode === 'standalone';
  const isCdn = mode === 'cdn';
  return {
    publicDir: false as const,
    plugins: [(isCdn || isStandalone) && minifyTemplates(), isCdn && wrapClassic()],
    build: {
      target: 'es2022',
      outDir: isCdn || isStandalone ? 'dist/cdn' : 'dist',
      emptyOutDir: !isStandalone,
      modulePreload: false as const,
      minify: isCdn || isStandalone,
      lib: isStandalone
        ? { entry: { standalone: 'src/standalone.ts' }, formats: ['iife' as const], name: 'unused' }
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
          ...(isStandalone && { codeSplitting: false }),
          ...(isCdn && {
            codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: 'core' }] },
          }),
        },
      },
    },
  };
});
