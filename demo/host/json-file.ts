/** Keeps a table in a file over a restart. Use your database if you run several processes. */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

export class JsonFile<Value> {
  readonly #path: string | undefined;
  #written: Promise<void> = Promise.resolve();

  /** @param path Without it, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Returns the entries, or none when the file is missing or unreadable. */
  read(): [string, Value][] {
    if (this.#path === undefined) return [];
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as [string, Value][];
    } catch {
      return [];
    }
  }

  /** Replaces the file, after the writes before. */
  async write(entries: ReadonlyMap<string, Value>): Promise<void> {
    const writing = this.#written.then(() => this.#replace(JSON.stringify([...entries])));
    // A full disk fails this write, not those after it.
    this.#written = writing.catch(() => {});
    await writing;
  }

  async #replace(text: string): Promise<void> {
    if (this.#path === undefined) return;
    const temporary = `${this.#path}.${process.pid}`;
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, this.#path);
  }
}
