import { defineConfig } from 'vite';
import { minifyTemplates } from './demo/minify-templates.ts';
import manifest from './package.json' with { type: 'json' };

const npm: Record<string, string> = { index: 'src/index.ts', element: 'src/element.ts' };
const cdn: Record<string, string> = { 'workspace-chat': 'src/index.ts' };

/** `vite build` makes the modules for npm, `--mode cdn` those for a script tag. */
export default defineConfig(({ mode }) => {
  const isCdn = mode === 'cdn';
  return {
    publicDir: false as const,
    plugins: [isCdn && minifyTemplates()],
    build: {
      target: 'es2022',
      outDir: isCdn ? 'dist/cdn' : 'dist',
      emptyOutDir: true,
      modulePreload: false as const,
      minify: isCdn,
      lib: {
        entry: isCdn ? cdn : npm,
        formats: ['es' as const],
      },
      rolldownOptions: {
        external: isCdn ? [] : Object.keys(manifest.dependencies).map((name) => new RegExp(`^${name}(/|$)`)),
        // What the stages share lives in the first one, so that it is one file.
        preserveEntrySignatures: isCdn ? ('allow-extension' as const) : ('strict' as const),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: isCdn ? '[name]-[hash].js' : 'chunks/[name]-[hash].js',
          minify: isCdn,
        },
      },
    },
  };
});
