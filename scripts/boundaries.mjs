/** Which folder may import from which folders and packages. `npm run check` rejects every import that is not listed. */

/**
 * @typedef {object} Boundary
 * @property {readonly string[]} imports Folders with their subfolders, or single files, that the folder may import besides itself.
 * @property {readonly string[]} packages Packages that the folder may import. `*` means any.
 */

const state = 'src/chat/state';
/** The folders below the views. */
const below = ['contract', 'src/chat', 'src/locale'];
const views = [...below, 'src/api', 'src/styles', 'src/markdown', 'src/controllers'];
const widget = [...views, 'src/blocks', 'src/elements', 'src/workspace-chat'];

/** @type {Record<string, Boundary>} */
const widgetBoundaries = {
  contract: { imports: [], packages: [] },
  'src/api': { imports: ['contract'], packages: ['eventsource-parser'] },
  'src/chat/state': { imports: ['contract'], packages: [] },
  'src/chat/storage': { imports: ['contract', 'src/api', state], packages: ['idb-keyval'] },
  'src/chat/tools': { imports: ['contract', 'src/api', state], packages: [] },
  'src/chat': { imports: ['contract', 'src/api'], packages: [] },
  'src/locale': { imports: ['contract', 'src/chat'], packages: [] },
  'src/styles': { imports: [], packages: ['lit'] },
  'src/markdown': { imports: [], packages: ['lit'] },
  'src/controllers': { imports: below, packages: ['lit', '@lit/context'] },
  'src/blocks': { imports: views, packages: ['lit'] },
  'src/elements': { imports: [...views, 'src/blocks'], packages: ['lit'] },
  'src/workspace-chat': { imports: [...views, 'src/blocks', 'src/elements'], packages: ['lit', '@lit/context'] },
  'src/products/doctor': { imports: [...below, 'src/api'], packages: [] },
  'src/products/embed': { imports: ['src/products/doctor', 'src/workspace-chat'], packages: [] },
  'src/products/webview': { imports: widget, packages: [] },
  'src/index.ts': { imports: ['src/element.ts', 'src/workspace-chat'], packages: [] },
  'src/element.ts': { imports: widget, packages: [] },
  'src/entries': {
    imports: ['src/index.ts', 'src/products', 'src/workspace-chat'],
    packages: ['preact', 'react', 'vue'],
  },
};

/** @type {Record<string, Boundary>} */
const otherBoundaries = {
  service: { imports: ['contract'], packages: ['*'] },
  'demo/host': { imports: [], packages: ['*'] },
  demo: { imports: ['contract', 'src', 'service', 'scripts'], packages: ['*'] },
  scripts: { imports: ['src/styles', 'test/support', 'package.json'], packages: ['*'] },
  test: { imports: ['contract', 'src', 'service', 'demo', 'scripts', 'package.json'], packages: ['*'] },
  'vite.config.ts': { imports: ['scripts', 'package.json'], packages: ['*'] },
};

/** The row of the most specific folder applies to a file. */
export const boundaries = { ...widgetBoundaries, ...otherBoundaries };

/** The roots that are checked. */
export const roots = ['contract', 'src', 'service', 'demo', 'scripts', 'test', 'vite.config.ts'];
