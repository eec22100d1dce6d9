import { defineConfig } from 'vite';
import manifest from './package.json' with { type: 'json' };
import { dependencies, minifierOptions, modules, scripts } from './scripts/bundles.ts';
import { bundleFiles, compileHint, fillBuiltFiles, minifyTemplates, threeFiles } from './scripts/vite-plugins.ts';

/** The folders of the modules that are complete, with their dependencies. */
const completeFolders: Record<string, string> = { cdn: 'dist/cdn', docs: 'docs/public/modules' };

/**
 * `vite build` makes the modules for npm, `--mode ssr` adds the one for servers, `--mode cdn` the modules for a script tag,
 * and `--mode embed`, `--mode standalone` and `--mode webview` one classic script each, beside those modules.
 * `--mode docs` makes the modules of the live examples in the docs.
 */
export default defineConfig(({ mode }) => {
  const isScript = scripts.includes(mode);
  const isNpm = !isScript && !Object.hasOwn(completeFolders, mode);
  const isAdded = isScript || mode === 'ssr';
  const npmEntries = mode === 'ssr' ? modules.ssr : modules.npm;
  const completeEntries = mode === 'docs' ? modules.docs : modules.cdn;
  return {
    define: { __VERSION__: JSON.stringify(manifest.version) },
    publicDir: mode === 'webview' ? 'src/products/webview/public' : (false as const),
    plugins: [minifyTemplates(), isScript && bundleFiles(), mode === 'cdn' && fillBuiltFiles()],
    build: {
      target: 'es2022',
      outDir: isNpm ? 'dist' : (completeFolders[mode] ?? 'dist/cdn'),
      emptyOutDir: !isAdded,
      modulePreload: false as const,
      // The modules for npm are not minified, and need no maps. The script tag's files do not name theirs, which would cost every
      // visitor the bytes of a comment in each file.
      sourcemap: !isNpm && mode !== 'docs' && ('hidden' as const),
      minify: !isNpm && (mode === 'docs' || ('terser' as const)),
      terserOptions: minifierOptions(!isScript),
      lib: isScript
        ? { entry: { [mode]: `src/entries/${mode}.ts` }, formats: ['iife' as const], name: 'unused' }
        : { entry: isNpm ? npmEntries : completeEntries, formats: ['es' as const] },
      rolldownOptions: {
        external: isNpm ? dependencies : [],
        // Lets the launcher's file export the modules that later chunks share with it.
        preserveEntrySignatures: isNpm ? ('strict' as const) : ('allow-extension' as const),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: isNpm ? 'chunks/[name]-[hash].js' : '[name]-[hash:6].js',
          // A server may ignore the case of file names.
          hashCharacters: 'hex',
          minify: !isNpm,
          comments: { annotation: isNpm },
          // A browser reads a classic script in the encoding of the page, unless the script begins with a byte order mark.
          postBanner: isScript ? '\uFEFF' : mode === 'cdn' ? compileHint : '',
          codeSplitting: isScript ? false : isNpm || mode === 'docs' || threeFiles,
        },
      },
    },
  };
});
