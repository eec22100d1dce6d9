/** The sizes of a build in brotli, by loading stage. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { budgets } from './size-budgets.ts';

/**
 * The stages in the order of loading, with the chunks that each adds, and the budget in KiB for all stages so far.
 *
 * Counted is what a first plain reply requests. Not counted are the chunks that something else needs first, even if they are
 * prefetched when the browser is idle: `problems` and `recovery` (a failure or a wait), `rich-blocks` (a code block or a
 * table), `erase`, `visitor`, `client-tools`, `tool-runs`, `menu`, `sound` and `team-relay`.
 */
export const stages = [
  { name: 'launcher', chunks: ['workspace-chat'], budget: budgets.launcher },
  { name: 'first plain reply: core, panel, English', chunks: ['stages', 'en'], budget: budgets.firstReply },
  { name: 'every block', chunks: ['blocks'], budget: budgets.everyBlock },
] as const;

/** The files of one build. */
export class BuiltFolder {
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
      (file) => file === `${name}.js` || new RegExp(`^${name}(-[\\w-]{6,8}){1,2}\\.js$`).test(file),
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
