/** A step of `npm run build`: adds the declarations, the manifest and the data for editors to the bundles for npm. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { dependencies, modules } from './bundles.ts';
import { cssData, htmlData, manifest, webTypes } from './manifest.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'workspace-chat-types-'));

/** The entries that export types only, by their packages. Importing them does nothing. */
const typeEntries = { preact: 'preact', 'solid-js': 'solid', svelte: 'svelte', vue: 'vue' };
const typeNames = Object.values(typeEntries);

/** The sources of the entries that `package.json` exports, by the names of their declarations. */
const sources: Record<string, string> = {
  ...modules.npm,
  ...modules.ssr,
  ...Object.fromEntries(typeNames.map((name) => [name, `src/entries/${name}.ts`])),
};

/** Removes the comments with the paths of the modules: their temporary folder has another name in each build. */
const withoutPaths = {
  name: 'without-paths',
  renderChunk: (code: string) => ({
    code: code.replaceAll(/^\/\/ .*\n/gm, (line) => (line.includes(basename(folder)) ? '' : line)),
    map: null,
  }),
};

// The declarations are rolled up, so that the package has a file for each entry and few shared ones.
try {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'src', '--outDir', folder], { cwd: root, stdio: 'inherit' });
  // The compiler does not emit declaration files that are written by hand.
  for (const file of await readdir(join(root, 'src/entries'))) {
    if (file.endsWith('.d.ts')) await cp(join(root, 'src/entries', file), join(folder, 'src/entries', file));
  }
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [name, join(folder, source.replace(/\.ts$/, '.d.ts'))]),
    ),
    external: [...dependencies, ...Object.keys(typeEntries).map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withoutPaths],
  });
  await bundle.write({
    dir: join(root, 'dist/types'),
    format: 'es',
    chunkFileNames: 'shared/[name].d.ts',
    cleanDir: true,
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

const write = (name: string, data: unknown): Promise<void> =>
  writeFile(join(root, 'dist', name), `${JSON.stringify(data, null, 2)}\n`);

const { package: whole, element } = await manifest();
await write('custom-elements.json', whole);
await write('web-types.json', webTypes(whole));
await write('vscode.html-custom-data.json', htmlData(element));
await write('vscode.css-custom-data.json', cssData(element));

for (const name of typeNames) await writeFile(join(root, `dist/${name}.js`), 'export {};\n');
