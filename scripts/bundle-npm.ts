/** Bundles the npm build into an application. Needs a build. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles an application that only imports the package.
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
