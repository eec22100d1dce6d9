/**
 * `npm run check`: prints what a visitor downloads, for the script tag and for npm, as a browser requests it, and fails above the
 * budgets. Needs a build.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { bundleNpm, minifierOptions } from './bundles.ts';
import { downloadSize, measureVisit, type Downloads } from './first-conversation.ts';
import { budgets, extraBudgets, maxFiles } from './size-budgets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const cdn = join(root, 'dist/cdn');
const kibibyte = 1024;
/** The budget of the npm build in an application, relative to the one of the script tag's files. */
const npmTolerance = 1.05;
const settings = { 'base-url': '/api/v2', 'publishable-key': 'svc_pk_sizes', 'agent-id': 'agt_sizes' };

let isOver = false;

/** Prints a row, and notes when the value is above its budget. */
const report = (name: string, value: number, budget: number, unit = 'KiB'): void => {
  const isTooLarge = value > budget;
  isOver ||= isTooLarge;
  const format = (number: number) => (unit === 'KiB' ? number.toFixed(2) : String(number));
  console.log(
    `${name.padEnd(44)}${format(value).padStart(8)} ${unit}  budget ${format(budget)}${isTooLarge ? '  TOO LARGE' : ''}`,
  );
};

const total = (downloads: Downloads): number => [...downloads.values()].reduce((sum, size) => sum + size, 0) / kibibyte;
const sizeOf = (file: string): number => downloadSize(readFileSync(file)) / kibibyte;

const sizeOfTexts = (language: string): number =>
  sizeOf(
    join(
      cdn,
      readdirSync(cdn).find((file) => file.startsWith(`${language}-`) && file.endsWith('.js'))!,
    ),
  );

/** @param files The largest number of files. An application's bundler divides the files of the npm package as it likes. */
const reportVisit = async (
  name: string,
  folder: string,
  scripts: string,
  tolerance: number,
  files: number,
): Promise<void> => {
  const { loaded, usable, conversation } = await measureVisit(folder, scripts);
  console.log(`\n${name}: ${[...conversation.keys()].join(', ')}`);
  report('page without a click', total(loaded), budgets.usable * tolerance);
  report('until the visitor can type', total(usable), budgets.usable * tolerance);
  report('through a first conversation', total(conversation), budgets.conversation * tolerance);
  report('files', conversation.size, files, 'files');
};

/** Bundles the conversation without views, and its dependencies, into one file. */
const bundleClient = async (outDir: string): Promise<string> => {
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
  return join(outDir, 'client.js');
};

const attributes = (prefix: string): string =>
  Object.entries(settings)
    .map(([name, value]) => `${prefix}${name}="${value}"`)
    .join(' ');

await reportVisit('script tag', cdn, `<script async src="/embed.js" ${attributes('data-')}></script>`, 1, maxFiles);

const folder = mkdtempSync(join(tmpdir(), 'workspace-chat-sizes-'));
try {
  const npm = await bundleNpm(folder);
  const element = `<workspace-chat ${attributes('')}></workspace-chat>`;
  const scripts = `<script type="module" src="/workspace-chat.js"></script>${element}`;
  await reportVisit('npm, bundled by an application', npm, scripts, npmTolerance, Infinity);
  console.log('\nfiles');
  report('embed.js', sizeOf(join(cdn, 'embed.js')), budgets.embed);
  report('Arabic texts, beside English ones', sizeOfTexts('ar') - sizeOfTexts('en'), budgets.arabic);
  report('workspace-chat.js', sizeOf(join(cdn, 'workspace-chat.js')), budgets.launcher);
  report('standalone.js', sizeOf(join(cdn, 'standalone.js')), budgets.standalone);
  report('webview.js', sizeOf(join(cdn, 'webview.js')), budgets.webview);
  report('client, without views', sizeOf(await bundleClient(join(folder, 'client'))), budgets.client);
} finally {
  rmSync(folder, { recursive: true });
}

const known = new Set(['embed', 'standalone', 'webview', 'workspace-chat', 'chat', 'en', 'ar']);
for (const file of readdirSync(cdn, { recursive: true, encoding: 'utf8' }).filter((name) => /^\D.*\.js$/.test(name))) {
  const name = file.replace(/(-[0-9a-f]{6})?\.js$/, '');
  if (known.has(name)) continue;
  const budget = name.startsWith('locales/') ? budgets.locale : extraBudgets[name];
  if (budget === undefined) throw new Error(`${file} is an extra without a budget: add it to size-budgets.ts.`);
  report(`extra: ${name}`, sizeOf(join(cdn, file)), budget);
}

if (isOver) {
  console.error('\nA download is larger than its budget. "npx vite build --mode cdn" lists the files.');
  process.exitCode = 1;
}
