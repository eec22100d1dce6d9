/** Bundles the pages of `test/e2e/react/` with one version of React. */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import type { Settings } from '../../e2e/react/app.ts';
import { packagesOf } from '../packages-of.ts';
import { makeFolder } from './built-widget.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pageOf = (name: string): string => join(root, `test/e2e/react/${name}.ts`);

export const reactVersions = [18, 19] as const;

export interface ReactBundle {
  /** The scripts `client.js`, `body.js` and `identity.js`. */
  folder: string;
  render(settings: Settings): string;
  remove(): Promise<void>;
}

export const bundleReact = async (version: (typeof reactVersions)[number]): Promise<ReactBundle> => {
  const { folder, remove } = await makeFolder();
  const old = (name: string) => ({
    find: new RegExp(`^${name}(?=/|$)`),
    replacement: join(packagesOf('frameworks'), name),
  });
  const options = {
    root,
    configFile: false as const,
    publicDir: false as const,
    logLevel: 'error' as const,
    // The development version of React reports mistakes of hydration.
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: version === 18 ? [old('react'), old('react-dom')] : [] },
  };
  for (const name of ['client', 'body', 'identity'])
    await build({
      ...options,
      build: {
        outDir: folder,
        emptyOutDir: false,
        target: 'es2022',
        minify: false,
        modulePreload: false,
        rolldownOptions: {
          input: { [name]: pageOf(name) },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    });
  await build({
    ...options,
    ssr: { noExternal: true },
    build: {
      ssr: pageOf('server'),
      outDir: join(folder, 'server'),
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'server.mjs', chunkFileNames: '[name]-[hash].mjs' } },
    },
  });
  const url = pathToFileURL(join(folder, 'server/server.mjs')).href;
  const { render } = (await import(url)) as { render: ReactBundle['render'] };
  return { folder, render, remove };
};

/** Bundles the pages with each version, and passes the bundles to `use`. */
export const withReactBundles = async (use: (bundles: Map<number, ReactBundle>) => Promise<void>): Promise<void> => {
  const bundles = new Map<number, ReactBundle>();
  for (const version of reactVersions) bundles.set(version, await bundleReact(version));
  await use(bundles);
  for (const { remove } of bundles.values()) await remove();
};
