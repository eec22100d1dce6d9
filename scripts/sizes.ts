/**
 * `npm run check`: prints the brotli size of each loading stage, for the script tag and for npm, and fails above the
 * budget. Needs a build.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { minifierOptions } from './minifier-options.ts';
import { budgets } from './size-budgets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const kibibyte = 1024;
/** The budget of the npm build in an application, relative to the one of the script tag's files. */
const npmTolerance = 1.05;

/**
 * The stages in the order of loading, with the chunks that each adds, and the budget in KiB for all stages so far.
 *
 * Counted is what a first plain reply requests. Not counted are the chunks that something else needs first, even if they are
 * prefetched when the browser is idle: `problems` and `recovery` (a failure or a wait), `rich-blocks` (a code block or a
 * table), `erase`, `visitor`, `client-tools`, `tool-runs`, `menu`, `sound` and `team-relay`.
 */
const stages = [
  { name: 'launcher', chunks: ['workspace-chat'], budget: budgets.launcher },
  { name: 'first plain reply: core, panel, English', chunks: ['stages', 'en'], budget: budgets.firstReply },
  { name: 'every block', chunks: ['blocks'], budget: budgets.everyBlock },
] as const;

let isOver = false;

const show = (bytes: number): string => `${(bytes / kibibyte).toFixed(2)} KiB`.padStart(10);

const judge = (bytes: number, budget: number): string => {
  const isTooLarge = bytes > budget * kibibyte;
  isOver ||= isTooLarge;
  return `  budget ${budget.toFixed(2)} KiB${isTooLarge ? '  TOO LARGE' : ''}`;
};

/** The files of one build. */
class BuiltFolder {
  readonly #folder: string;
  readonly #files: string[];

  constructor(folder: string) {
    this.#folder = folder;
    this.#files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  }

  size(file: string): number {
    return brotliCompressSync(readFileSync(join(this.#folder, file))).length;
  }

  /** Returns the name of a chunk's file, which may contain a hash. */
  find(name: string): string {
    const found = this.#files.find(
      (file) => file === `${name}.js` || new RegExp(`^${name}(-[\\w-]{8}){1,2}\\.js$`).test(file),
    );
    if (!found) throw new Error(`${this.#folder} has no ${name}.js. Run "npm run build" first.`);
    return found;
  }

  /** Returns the file and all its static imports. */
  closure(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    const code = readFileSync(join(this.#folder, file), 'utf8');
    for (const [, path] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) this.closure(path!, seen);
    return seen;
  }

  /** Returns the bytes that are loaded after each stage. */
  totals(): number[] {
    const loaded = new Set<string>();
    return stages.map(({ chunks }) => {
      for (const chunk of chunks) for (const file of this.closure(this.find(chunk))) loaded.add(file);
      return [...loaded].reduce((sum, file) => sum + this.size(file), 0);
    });
  }
}

const report = (title: string, totals: readonly number[], limits: readonly number[]): void => {
  console.log(`\n${title.padEnd(36)}${'own'.padStart(10)}${'total'.padStart(10)}`);
  for (const [index, { name }] of stages.entries()) {
    const total = totals[index]!;
    console.log(
      `${name.padEnd(36)}${show(total - (totals[index - 1] ?? 0))}${show(total)}${judge(total, limits[index]!)}`,
    );
  }
};

/** Bundles the npm build into an application. */
const bundleNpm = async (folder: string): Promise<BuiltFolder> => {
  const entry = join(folder, 'workspace-chat.js');
  writeFileSync(entry, `import ${JSON.stringify(join(root, 'dist/index.js'))};`);
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: join(folder, 'dist'),
      target: 'es2022',
      modulePreload: false,
      minify: 'terser',
      rolldownOptions: {
        input: { 'workspace-chat': entry },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', minify: true },
      },
    },
  });
  return new BuiltFolder(join(folder, 'dist'));
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
  const npm = await bundleNpm(folder);
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
