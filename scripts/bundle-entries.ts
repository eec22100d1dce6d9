/** The entry files of the bundles, and the packages that stay outside them. */
import manifest from '../package.json' with { type: 'json' };

/** The languages for `registerLocale`. */
const locales = {
  'locales/fa': 'src/locale/added/fa.ts',
  'locales/fr': 'src/locale/added/fr.ts',
};

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
