/**
 * A Vite plugin that makes the bundler's namespace objects safe on pages that add enumerable properties to
 * `Object.prototype`: Rolldown's helper lists inherited names with `for…in`, and then fails to define them. A chunk that
 * exports more than its entry module needs such an object, so it cannot be avoided for the lazy stages.
 */
import { MagicString } from 'magic-string';
import type { Plugin } from 'vite';

const helper = /var __exportAll = \(all, no_symbols\) => \{[^]*?\n\t?\};/;

const safeHelper = `var __exportAll = (all) => Object.keys(all).reduce(
  (names, name) => Object.defineProperty(names, name, { get: all[name], enumerable: true }), {});`;

export const safeNamespaces = (): Plugin => ({
  name: 'safe-namespaces',
  apply: 'build',
  renderChunk(code) {
    if (!code.includes('__exportAll = ')) return null;
    const found = helper.exec(code);
    if (!found) throw new Error('Rolldown’s __exportAll has changed. Check whether it still uses for…in.');
    const result = new MagicString(code).update(found.index, found.index + found[0].length, safeHelper);
    return { code: result.toString(), map: result.generateMap({ hires: true }) };
  },
});
