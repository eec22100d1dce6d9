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
  'src/chat/tools': { imports: ['contract', 'src/api', state], packages: ['@cfworker/json-schema'] },
  'src/chat': { imports: ['contract', 'src/api'], packages: [] },
  'src/locale': { imports: ['contract', 'src/chat'], packages: [] },
  'src/styles': { imports: [], packages: ['lit'] },
  'src/markdown': { imports: ['contract', 'src/api', 'src/styles'], packages: ['lit'] },
  'src/controllers': { imports: below, packages: ['lit', '@lit/context'] },
  'src/blocks': { imports: views, packages: ['lit'] },
  'src/elements': { imports: [...views, 'src/blocks'], packages: ['lit'] },
  'src/workspace-chat': {
    imports: [...views, 'src/blocks', 'src/elements', 'src/products/doctor/index.ts'],
    packages: ['lit', '@lit/context', 'character-entities'],
  },
  'src/products/doctor': {
    imports: [...below, 'src/api', 'src/controllers/locale-controller.ts'],
    packages: [],
  },
  'src/products/embed': { imports: ['src/products/doctor', 'src/workspace-chat'], packages: [] },
  'src/products/webview': { imports: widget, packages: [] },
  'src/products/client': {
    imports: [
      ...below,
      'src/products/doctor/index.ts',
      'src/workspace-chat/browser-conversation.ts',
      'src/workspace-chat/conversation-events.ts',
      'src/workspace-chat/event-map.ts',
      'src/workspace-chat/events.ts',
      'src/workspace-chat/native-fetch.ts',
    ],
    packages: [],
  },
  'src/products/testing': {
    imports: [
      'contract',
      'src/api',
      'src/chat',
      'src/workspace-chat/conversation-events.ts',
      'src/workspace-chat/events.ts',
      'src/workspace-chat/native-fetch.ts',
    ],
    packages: [],
  },
  'src/products/ssr': { imports: ['src/locale', 'src/styles', 'src/elements', 'src/workspace-chat'], packages: [] },
  'src/index.ts': { imports: ['src/element.ts', 'src/workspace-chat'], packages: [] },
  'src/element.ts': { imports: widget, packages: [] },
  'src/entries': {
    imports: ['src/element.ts', 'src/locale', 'src/products', 'src/workspace-chat'],
    packages: ['preact', 'react', 'solid-js', 'svelte', 'vue'],
  },
};

/** The contract, and folders of the service. */
const inService = (...folders) => ['contract', ...folders.map((folder) => `service/${folder}`)];

/** @type {Record<string, Boundary>} */
const serviceBoundaries = {
  'service/core': { imports: inService(), packages: ['*'] },
  'service/db': { imports: inService('core'), packages: ['*'] },
  'service/egress': { imports: inService('core'), packages: ['*'] },
  'service/jobs': { imports: inService('core', 'db'), packages: ['*'] },
  'service/resources': { imports: inService('core', 'db'), packages: ['*'] },
  'service/events': { imports: inService('core', 'db', 'egress', 'jobs'), packages: ['*'] },
  'service/knowledge': { imports: inService('core', 'db', 'egress', 'events', 'jobs', 'resources'), packages: ['*'] },
  'service/contacts': { imports: inService('core', 'db', 'events', 'resources'), packages: ['*'] },
  'service/tickets': { imports: inService('core', 'db', 'events', 'knowledge', 'resources'), packages: ['*'] },
  'service/replies': { imports: inService('core', 'db', 'knowledge'), packages: ['*'] },
  'service/seed': { imports: inService('core', 'db', 'knowledge'), packages: ['*'] },
  'service/model': { imports: inService('core', 'db', 'knowledge', 'replies'), packages: ['*'] },
  'service/actions': {
    imports: inService('core', 'db', 'egress', 'events', 'jobs', 'replies', 'resources', 'tickets'),
    packages: ['*'],
  },
  'service/chat': {
    imports: inService('actions', 'contacts', 'core', 'db', 'events', 'jobs', 'replies', 'resources', 'tickets'),
    packages: ['*'],
  },
  'service/telemetry': { imports: inService('core', 'db'), packages: ['*'] },
  'service/http': { imports: inService('chat', 'core', 'db', 'jobs', 'knowledge'), packages: ['*'] },
  'service/routes': {
    imports: inService(
      'actions',
      'chat',
      'contacts',
      'core',
      'db',
      'egress',
      'events',
      'http',
      'jobs',
      'knowledge',
      'resources',
      'tickets',
    ),
    packages: ['*'],
  },
  'service/team': {
    imports: inService(
      'actions',
      'chat',
      'contacts',
      'core',
      'db',
      'egress',
      'events',
      'http',
      'jobs',
      'knowledge',
      'resources',
      'tickets',
    ),
    packages: ['*'],
  },
  service: { imports: ['contract'], packages: ['*'] },
};

/** @type {Record<string, Boundary>} */
const otherBoundaries = {
  ...serviceBoundaries,
  'demo/host': { imports: [], packages: ['*'] },
  demo: { imports: ['contract', 'src', 'service', 'scripts', 'docs/site'], packages: ['*'] },
  'docs/site': { imports: [], packages: [] },
  scripts: { imports: ['src/styles', 'src/elements', 'test/support', 'package.json'], packages: ['*'] },
  test: { imports: ['contract', 'src', 'service', 'demo', 'scripts', 'docs/site', 'package.json'], packages: ['*'] },
  'vite.config.ts': { imports: ['scripts', 'package.json'], packages: ['*'] },
};

/** The row of the most specific folder applies to a file. */
export const boundaries = { ...widgetBoundaries, ...otherBoundaries };

/** The roots that are checked. */
export const roots = ['contract', 'src', 'service', 'demo', 'docs/site', 'scripts', 'test', 'vite.config.ts'];
