/** Bundles the script of `test/e2e/ssr/`. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { makeFolder, type Built } from './built-widget.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const bundleSsrClient = async (): Promise<Built> => {
  const built = await makeFolder();
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: built.folder,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      lib: { entry: { client: fileURLToPath(new URL('../../e2e/ssr/client.ts', import.meta.url)) }, formats: ['es'] },
    },
  });
  return built;
};
