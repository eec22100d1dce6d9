/**
 * Which folder may import from which folders and packages. `npm run check` rejects every import that is not listed, type imports
 * included, every cycle, and every permission that nobody uses. It is JavaScript because dependency-cruiser does not run under tsx.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';

/**
 * @typedef {object} Boundary
 * @property {readonly string[]} imports Folders with their subfolders, or single files, that the folder may import besides itself.
 * @property {readonly string[]} packages Packages that the folder may import. `node:` means the modules of Node.js, `*` any.
 */

const state = 'src/chat/state';
/** The folders below the views. */
const below = ['contract', 'src/chat', 'src/locale'];
const views = [...below, 'src/api', 'src/styles', 'src/markdown', 'src/controllers'];

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
  'src/markdown': { imports: ['contract', 'src/api', 'src/styles'], packages: ['lit', 'sugar-high', 'temml'] },
  'src/controllers': { imports: below, packages: ['lit', '@lit/context'] },
  'src/blocks': { imports: [...below, 'src/api', 'src/markdown', 'src/controllers'], packages: ['lit'] },
  'src/elements': { imports: [...views, 'src/blocks'], packages: ['lit'] },
  'src/workspace-chat': {
    imports: [...views, 'src/blocks', 'src/elements', 'src/products/doctor/index.ts'],
    packages: ['lit', '@lit/context', 'character-entities'],
  },
  'src/products/doctor': {
    imports: [
      'src/chat',
      'src/locale',
      'src/api',
      'src/controllers/locale-controller.ts',
      'src/workspace-chat/attribute-name.ts',
    ],
    packages: [],
  },
  'src/products/embed': { imports: ['src/products/doctor', 'src/workspace-chat'], packages: [] },
  'src/products/webview': { imports: [...below, 'src/api', 'src/styles', 'src/workspace-chat'], packages: [] },
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
      'src/workspace-chat/testing-mark.ts',
    ],
    packages: [],
  },
  'src/products/ssr': { imports: ['src/locale', 'src/styles', 'src/elements', 'src/workspace-chat'], packages: [] },
  'src/index.ts': { imports: ['src/element.ts', 'src/workspace-chat'], packages: [] },
  'src/element.ts': { imports: [...below, 'src/controllers', 'src/workspace-chat'], packages: [] },
  'src/entries': {
    imports: ['src/element.ts', 'src/locale', 'src/products', 'src/workspace-chat'],
    packages: ['preact', 'react', 'solid-js', 'svelte', 'vue'],
  },
};

/** The modules of Node.js. */
const node = 'node:';

const ofService = (...folders) => folders.map((folder) => `service/${folder}`);
/** The contract, and folders of the service. */
const inService = (...folders) => ['contract', ...ofService(...folders)];

/** @type {Record<string, Boundary>} */
const serviceBoundaries = {
  'service/core': { imports: inService(), packages: [node, '@hono/zod-openapi'] },
  'service/db': { imports: inService('core'), packages: [node, '@electric-sql/pglite', 'drizzle-orm', 'pg'] },
  'service/egress': { imports: ofService('core'), packages: [node, 'ipaddr.js'] },
  'service/jobs': { imports: inService('core', 'db'), packages: ['drizzle-orm'] },
  'service/resources': { imports: inService('core', 'db'), packages: ['@hono/zod-openapi'] },
  'service/mail': { imports: inService('core', 'db', 'jobs'), packages: ['drizzle-orm', 'nodemailer'] },
  'service/checks': { imports: ofService('core', 'db', 'egress', 'mail', 'sign-in'), packages: [node, 'drizzle-orm'] },
  'service/events': { imports: ofService('core', 'db', 'egress', 'jobs', 'mail'), packages: [node, 'drizzle-orm'] },
  'service/knowledge': {
    imports: inService('core', 'db', 'egress', 'events', 'jobs', 'resources'),
    packages: [node, '@orama/stemmers', 'chardet', 'csv-parse', 'drizzle-orm', 'htmlparser2', 'iconv-lite', 'tsx'],
  },
  'service/contacts': {
    imports: inService('core', 'db', 'events', 'resources'),
    packages: [node, '@hono/zod-openapi', 'drizzle-orm', 'fflate', 'jose'],
  },
  'service/tickets': {
    imports: inService('core', 'db', 'events', 'knowledge', 'resources'),
    packages: ['drizzle-orm'],
  },
  'service/replies': { imports: inService('core', 'db', 'knowledge'), packages: ['drizzle-orm'] },
  'service/seed': { imports: inService('core', 'db', 'knowledge'), packages: [node, 'drizzle-orm'] },
  'service/model': {
    imports: inService('core', 'db', 'knowledge', 'replies'),
    packages: ['@ai-sdk/openai-compatible', 'ai', 'ajv'],
  },
  'service/actions': {
    imports: inService('core', 'db', 'egress', 'events', 'jobs', 'replies', 'resources', 'tickets'),
    packages: ['drizzle-orm'],
  },
  'service/chat': {
    imports: inService('actions', 'contacts', 'core', 'db', 'events', 'mail', 'replies', 'resources', 'tickets'),
    packages: ['drizzle-orm'],
  },
  'service/telemetry': {
    imports: ofService('chat', 'core', 'db'),
    packages: [
      node,
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-node',
      'drizzle-orm',
      'prom-client',
    ],
  },
  'service/sign-in': {
    imports: ofService('core', 'db'),
    packages: ['@hono/zod-openapi', 'drizzle-orm', 'hono', 'openid-client'],
  },
  'service/http': {
    imports: inService('chat', 'contacts', 'core', 'db', 'knowledge', 'mail', 'sign-in'),
    packages: [node, '@hono/node-server', '@hono/zod-openapi', 'drizzle-orm', 'hono', 'ipaddr.js'],
  },
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
    packages: ['@hono/zod-openapi', 'drizzle-orm', 'hono'],
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
      'mail',
      'replies',
      'resources',
      'sign-in',
      'tickets',
    ),
    packages: [node, '@hono/zod-openapi', 'drizzle-orm', 'hono'],
  },
  service: {
    imports: ['contract'],
    packages: [node, '@hono/node-server', '@hono/zod-openapi', 'drizzle-kit', 'drizzle-orm', 'hono', 'pino'],
  },
};

/** @type {Record<string, Boundary>} */
const otherBoundaries = {
  ...serviceBoundaries,
  'demo/host': { imports: [], packages: ['*'] },
  demo: {
    imports: ['contract', 'src', 'service/index.ts', 'service/catalog.ts', 'docs/site'],
    packages: ['*'],
  },
  'docs/site': { imports: [], packages: [] },
  scripts: {
    imports: [
      'src/styles',
      'src/elements',
      'src/workspace-chat/attribute-name.ts',
      'test/support',
      'package.json',
      'service/package.json',
    ],
    packages: ['*'],
  },
  test: { imports: ['contract', 'src', 'service', 'demo', 'scripts', 'docs/site', 'package.json'], packages: ['*'] },
  'vite.config.ts': { imports: ['scripts', 'package.json'], packages: ['*'] },
};

/** The row of the most specific folder applies to a file. */
export const boundaries = { ...widgetBoundaries, ...otherBoundaries };

/** The roots that are checked. */
export const roots = ['contract', 'src', 'service', 'demo', 'docs/site', 'scripts', 'test', 'vite.config.ts'];

const escape = (path) => path.replaceAll(/[.+*?^$()[\]{}|\\]/g, String.raw`\$&`);
/** Matches the paths and everything below them. */
const insideOf = (paths) => `^(${paths.map(escape).join('|')})(/|$)`;

/** Matches the files to which the row of a folder applies. */
const fromFolder = (folder) => {
  const nested = Object.keys(boundaries).filter((other) => other.startsWith(`${folder}/`));
  return { path: insideOf([folder]), ...(nested.length > 0 && { pathNot: insideOf(nested) }) };
};

/** A package may be installed below the root that needs a version of its own. Its types may be a package too. */
const ofPackages = (names) => `(^|node_modules/|@types/)(${names.map(escape).join('|')})(/|$)`;

/** Turns one row of the table into rules of dependency-cruiser. */
const toRules = ([folder, { imports, packages }]) => {
  const from = fromFolder(folder);
  const files = { from, to: { path: insideOf([folder, ...imports]) } };
  // A package may be installed below the root that needs a version of its own.
  if (packages.includes('*'))
    return [files, { from, to: { pathNot: insideOf(roots) } }, { from, to: { path: '/node_modules/' } }];
  if (packages.length === 0) return [files];
  const names = packages.filter((name) => name !== node);
  const ofNode = packages.includes(node) ? [{ from, to: { dependencyTypes: ['core'] } }] : [];
  return [files, ...ofNode, ...(names.length > 0 ? [{ from, to: { path: ofPackages(names) } }] : [])];
};

const ruleSet = {
  forbidden: [{ name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } }],
  allowed: Object.entries(boundaries).flatMap(toRules),
  allowedSeverity: 'error',
};

const countFiles = (path) => {
  if (!existsSync(path)) return 0;
  if (!statSync(path).isDirectory()) return 1;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file));
  return files.filter((file) => file.endsWith('.ts') && !/\.d\.ts$|node_modules|frameworks/.test(file)).length;
};

const isFrom = ({ resolved, dependencyTypes }, name) =>
  name === node ? dependencyTypes.includes('core') : resolved.match(ofPackages([name]));

/**
 * Returns a line for each permission of the table that no module uses. It would allow tomorrow what nobody has decided.
 * @param {{ source: string, dependencies: { resolved: string, dependencyTypes: string[] }[] }[]} modules
 */
export const unusedPermissions = (modules) =>
  Object.entries(boundaries).flatMap(([folder, { imports, packages }]) => {
    const { path, pathNot } = fromFolder(folder);
    const targets = modules
      .filter(({ source }) => source.match(path) && !(pathNot && source.match(pathNot)))
      .flatMap(({ dependencies }) => dependencies);
    const isUnused = (isTarget) => !targets.some(isTarget);
    return [
      ...imports.filter((name) => isUnused(({ resolved }) => resolved.match(insideOf([name])))),
      ...packages.filter((name) => name !== '*' && isUnused((dependency) => isFrom(dependency, name))),
    ].map((name) => `unused permission: ${folder} → ${name}`);
  });

/**
 * Checks the imports of all roots below a folder.
 * @returns One line for each import that is not allowed and for each cycle, the modules, and the number of those of the roots.
 * @throws {Error} If fewer modules were read than the folders contain. Otherwise a failed scan would look like a success.
 */
const checkBoundaries = async (folder) => {
  const present = roots.filter((root) => existsSync(join(folder, root)));
  const { output } = await cruise(present, {
    baseDir: folder,
    ruleSet,
    validate: true,
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`^demo/frameworks/` },
  });
  const { modules, summary } = output;
  const own = modules.filter(({ source }) => present.some((root) => source === root || source.startsWith(`${root}/`)));
  const expected = present.reduce((count, root) => count + countFiles(join(folder, root)), 0);
  if (own.length < expected) throw new Error(`Only ${own.length} of ${expected} modules were read.`);
  const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return { violations, modules, moduleCount: own.length };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
  const { violations, modules, moduleCount } = await checkBoundaries(folder);
  // A part of the project does not use what the whole one needs.
  if (!process.argv[2]) violations.push(...unusedPermissions(modules));
  for (const violation of violations) console.error(violation);
  console.log(`boundaries: ${moduleCount} modules, ${violations.length} violations`);
  if (violations.length > 0) process.exitCode = 1;
}
