/** The entry files of the bundles, the packages that stay outside them, their minifier, and the npm build in an application. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import manifest from '../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));

/** The languages for `registerLocale`. */
const localeNames = readdirSync(join(root, 'src/locale/added')).map((file) => file.replace(/\.ts$/, ''));

const locales = Object.fromEntries(localeNames.map((name) => [`locales/${name}`, `src/locale/added/${name}.ts`]));

/** Modules, by the folder or the mode that they are built for. */
export const modules = {
  npm: {
    index: 'src/index.ts',
    element: 'src/element.ts',
    react: 'src/entries/react.ts',
    client: 'src/entries/client.ts',
    testing: 'src/entries/testing.ts',
    doctor: 'src/entries/doctor.ts',
    ...locales,
  },
  // A build of its own, so that the other entries are not split into the parts that it shares with them.
  ssr: { ssr: 'src/entries/ssr.ts' },
  // The modules of the live examples in the docs, with their dependencies.
  docs: { 'workspace-chat': 'src/index.ts', client: 'src/entries/client.ts', testing: 'src/entries/testing.ts' },
  cdn: { 'workspace-chat': 'src/entries/cdn.ts', ...locales },
};

/** Classic scripts: one file each, with everything that it needs in it. */
export const scripts = ['embed', 'standalone', 'webview'];

const packages = { ...manifest.dependencies, ...manifest.peerDependencies };

/** The imports that the modules for npm keep. */
export const dependencies = Object.keys(packages).map((name) => new RegExp(`^${name}(/|$)`));

/** The options of Terser, whose output is about 2 % smaller than that of the bundler alone. */
export const minifierOptions = (isModule: boolean) => ({
  module: isModule,
  ecma: 2020 as const,
  // 1 inlines simple functions only: with all of them the output is larger. The same is true of `a, b` in place of `a; b`.
  compress: { passes: 3, inline: 1 as number, sequences: false },
});

/**
 * Bundles an application that only imports the package. Needs a build.
 * @param folder An empty folder.
 * @returns The folder of the application's files. Its entry is `workspace-chat.js`.
 */
export const bundleNpm = async (folder: string): Promise<string> => {
  const entry = join(folder, 'workspace-chat.js');
  const outDir = join(folder, 'dist');
  writeFileSync(entry, `import ${JSON.stringify(join(root, 'dist/index.js'))};`);
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir,
      target: 'es2022',
      modulePreload: false,
      minify: 'terser',
      rolldownOptions: {
        input: { 'workspace-chat': entry },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', minify: true },
      },
    },
  });
  return outDir;
};
