/** A Vite plugin that fills in `src/workspace-chat/stage-files.ts`: the names of the files that the launcher preloads. */
import { MagicString } from 'magic-string';
import type { Plugin } from 'vite';

/** The chunks that the open panel needs beside the launcher. */
const names = ['stages', 'en', 'ar'];

/** The text in place of the name of a chunk’s file until the bundler has named the files. */
const placeholder = (name: string): string => `file-of-chunk:${name}`;

export const fillStageFiles = (): Plugin => ({
  name: 'fill-stage-files',
  apply: 'build',
  load(id) {
    if (!id.endsWith('/src/workspace-chat/stage-files.ts')) return null;
    const files = names.map((name) => `${name}: "${placeholder(name)}"`);
    return `export const stageFiles = { folder: import.meta.resolve("./"), ${files.join(', ')} };`;
  },
  renderChunk(code, _chunk, _options, { chunks }) {
    const result = new MagicString(code);
    for (const name of names) {
      const file = Object.values(chunks).find((chunk) => chunk.name === name)?.fileName;
      if (!file) throw new Error(`There is no chunk "${name}" to preload.`);
      result.replaceAll(placeholder(name), file);
    }
    return result.hasChanged() ? { code: result.toString(), map: result.generateMap({ hires: true }) } : null;
  },
});
