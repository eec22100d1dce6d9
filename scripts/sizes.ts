/** `npm run check`: what the script tag costs, stage by stage, in brotli. Fails past the budget. Wants a build. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../dist/cdn', import.meta.url));
const files = readdirSync(folder).filter((file) => file.endsWith('.js'));

const size = (file: string): number => brotliCompressSync(readFileSync(join(folder, file))).length;

const named = (name: string): string => {
  const found = files.find((file) => file === `${name}.js` || new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  if (!found) throw new Error(`dist/cdn has no ${name}: was it built?`);
  return found;
};

/** The file and whatever it imports without being asked. */
const closure = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(join(folder, file), 'utf8');
  for (const [, path] of code.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) closure(path!, seen);
  return seen;
};

const kibibyte = 1024;
const loaded = new Set<string>();
let sum = 0;
let isOver = false;

const show = (bytes: number) => `${(bytes / kibibyte).toFixed(2)} KiB`.padStart(10);

/** What it is allowed, and whether it takes more. */
const judge = (bytes: number, budget?: number): string => {
  if (budget === undefined) return '';
  const isPast = bytes > budget * kibibyte;
  isOver ||= isPast;
  return `  of at most ${budget} KiB${isPast ? '  TOO LARGE' : ''}`;
};

/** A file that is no stage: it comes before them, or instead of them. */
const alone = (name: string, entry: string, budget?: number): void => {
  const bytes = size(named(entry));
  console.log(`${name.padEnd(40)}${show(bytes)}${''.padStart(10)}${judge(bytes, budget)}`);
};

const stage = (name: string, entries: string[], budget?: number): void => {
  const added = entries.flatMap((entry) => [...closure(named(entry))]).filter((file) => !loaded.has(file));
  for (const file of new Set(added)) {
    loaded.add(file);
    sum += size(file);
  }
  const own = [...new Set(added)].reduce((bytes, file) => bytes + size(file), 0);
  console.log(`${name.padEnd(40)}${show(own)}${show(sum)}${judge(sum, budget)}`);
};

console.log(`${'brotli'.padEnd(40)}${'own'.padStart(10)}${'in all'.padStart(10)}`);
alone('script tag alone: embed.js', 'embed', 2);
stage('launcher: the page shows it', ['workspace-chat'], 12);
stage('core: a conversation is stored, or begins', ['core']);
stage('panel, English: through the first answer', ['panel', 'en'], 48);
alone('everything in one file: standalone.js', 'standalone');
alone('an app’s webview: webview.js', 'webview');

if (isOver) {
  console.error('A stage is larger than its budget. See what came in with it: npx vite build --mode cdn');
  process.exitCode = 1;
}
