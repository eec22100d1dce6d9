/**
 * `npm run check`: prints the brotli size of each loading stage, for the script tag and for npm, and fails above the
 * budget. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { bundleNpm } from './bundle-npm.ts';
import { minifierOptions } from './minifier-options.ts';
import { budgets } from './size-budgets.ts';
import { BuiltFolder, stages } from './stage-sizes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const kibibyte = 1024;
/** The budget of the npm build in an application, relative to the one of the script tag's files. */
const npmTolerance = 1.05;

let isOver = false;

const show = (bytes: number): string => `${(bytes / kibibyte).toFixed(2)} KiB`.padStart(10);

const judge = (bytes: number, budget: number): string => {
  const isTooLarge = bytes > budget * kibibyte;
  isOver ||= isTooLarge;
  return `  budget ${budget.toFixed(2)} KiB${isTooLarge ? '  TOO LARGE' : ''}`;
};

const report = (title: string, totals: readonly number[], limits: readonly number[]): void => {
  console.log(`\n${title.padEnd(36)}${'own'.padStart(10)}${'total'.padStart(10)}`);
  for (const [index, { name }] of stages.entries()) {
    const total = totals[index]!;
    console.log(
      `${name.padEnd(36)}${show(total - (totals[index - 1] ?? 0))}${show(total)}${judge(total, limits[index]!)}`,
    );
  }
};

/** Bundles the sources of the conversation without views, and its dependencies, into one file. */
const bundleClient = async (folder: string): Promise<BuiltFolder> => {
  const outDir = join(folder, 'client');
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [{ name: 'on-demand', resolveDynamicImport: (id) => ({ id, external: true }) }],
    build: {
      outDir,
      target: 'es2022',
      minify: 'terser',
      terserOptions: minifierOptions(true),
      lib: { entry: join(root, 'src/entries/client.ts'), formats: ['es'], fileName: 'client' },
      rolldownOptions: { output: { minify: true } },
    },
  });
  return new BuiltFolder(outDir);
};

const cdn = new BuiltFolder(join(root, 'dist/cdn'));
report(
  'script tag, brotli',
  cdn.totals(),
  stages.map(({ budget }) => budget),
);
for (const [name, budget] of [
  ['embed', budgets.embed],
  ['standalone', budgets.standalone],
  ['webview', budgets.webview],
  ['locales/fa', budgets.locale],
  ['locales/fr', budgets.locale],
] as const) {
  const bytes = cdn.size(`${name}.js`);
  console.log(`${`${name}.js`.padEnd(36)}${show(bytes)}${''.padStart(10)}${judge(bytes, budget)}`);
}

const folder = mkdtempSync(join(tmpdir(), 'workspace-chat-sizes-'));
try {
  const npm = new BuiltFolder(await bundleNpm(folder));
  report(
    'npm, bundled by an application',
    npm.totals(),
    stages.map(({ budget }) => budget * npmTolerance),
  );
  const client = (await bundleClient(folder)).size('client.js');
  console.log(`${'client, without views'.padEnd(36)}${show(client)}${''.padStart(10)}${judge(client, budgets.client)}`);
} finally {
  rmSync(folder, { recursive: true });
}

if (isOver) {
  console.error('\nA stage is larger than its budget. "npx vite build --mode cdn" lists the chunks.');
  process.exitCode = 1;
}
