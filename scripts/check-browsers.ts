/**
 * Checks that the widget uses only what the oldest supported browsers have, by the data of MDN, unless the use is listed here
 * with its fallback. Names are compared, not types: a member counts as supported if any interface has it in all browsers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompatStatement, SupportStatement } from '@mdn/browser-compat-data';
import bcd from '@mdn/browser-compat-data' with { type: 'json' };
import postcssLit from 'postcss-lit';

const floor = { chrome: 114, chrome_android: 114, safari: 17, safari_ios: 17, firefox: 125 } as const;

/** Features that some supported browsers lack, and what happens there, or why the name is none of them. */
const fallbacks: Record<string, string> = {
  '.ariaNotify': 'a live region',
  '.checkVisibility': 'an element with boxes counts as visible',
  '.prerendering': 'a page without it is not being prerendered',
  'AbortSignal.any': 'src/api/abort.ts listens to each signal',
  requestIdleCallback: 'src/workspace-chat/idle.ts uses a timer',
  ...Object.fromEntries(
    ['restore', '.blank', '.direction', '.dispose', '.error', '.until'].map((name) => [
      name,
      'it is a name of our own',
    ]),
  ),
  '.displayName': 'it belongs to a React component, not to the browser',
  '.currentCSSZoom': 'no zoom is assumed',
  'light-dark()': 'src/styles/older-browsers.ts switches between two values',
  'relative color': 'src/styles/older-browsers.ts has other colors',
  ':dir()': 'src/styles/older-browsers.ts uses the attribute',
  'CSS.registerProperty': 'a 0 needs its unit',
  'CSS.highlights': 'code stays plain',
  ':highlight()': 'code stays plain',
  'forced-color-adjust': 'Safari has no forced colors, and needs no adjustment',
  'math-shift': 'superscripts in a fraction are a little higher',
  'text-wrap': 'the last line may be short',
  'field-sizing': 'the composer sets its height',
  'overflow-clip-margin': 'blocks out of view are painted too',
  'content-visibility': 'all messages are rendered',
  'scrollbar-width': 'the scrollbar has its usual width',
  'scrollbar-color': 'the scrollbar has its usual color',
  ':-webkit-inner-spin-button': 'Firefox shows no buttons in the field',
  'user-select': 'Safari has the property with a prefix',
  resize: 'iOS shows no handle anyway',
  '-webkit-tap-highlight-color': 'other browsers have no highlight',
};

const isSince = (support: SupportStatement | undefined, version: number): boolean =>
  (Array.isArray(support) ? support : [support]).some(
    (entry) =>
      entry &&
      !entry.flags &&
      !entry.prefix &&
      !entry.alternative_name &&
      !(parseFloat(String(entry.version_removed)) <= version) &&
      parseFloat(String(entry.version_added).replace('≤', '')) <= version,
  );

const isSupported = ({ support }: CompatStatement): boolean =>
  Object.entries(floor).every(([browser, version]) => isSince(support[browser as keyof typeof floor], version));

interface Tree {
  __compat?: CompatStatement;
  [name: string]: Tree | CompatStatement | undefined;
}

/** Adds each feature below `tree` under its name. */
const index = (tree: Tree, into = new Map<string, CompatStatement[]>(), depth = 9): Map<string, CompatStatement[]> => {
  for (const [name, child] of Object.entries(tree)) {
    if (name === '__compat' || !child) continue;
    const { __compat } = child as Tree;
    if (__compat) into.set(name, [...(into.get(name) ?? []), __compat]);
    if (depth > 0) index(child as Tree, into, depth - 1);
  }
  return into;
};

const tree = bcd as unknown as Record<'api' | 'css' | 'javascript', Tree>;
const builtins = tree.javascript['builtins'] as Tree;
const css = tree.css as Record<'properties' | 'at-rules' | 'selectors' | 'types', Tree>;

/** The interfaces whose members are checked. Our own properties often have the names of members of other interfaces. */
const interfaces = [
  'Element',
  'HTMLElement',
  'HTMLDialogElement',
  'HTMLInputElement',
  'HTMLTextAreaElement',
  'ElementInternals',
  'Document',
  'DocumentFragment',
  'ShadowRoot',
  'Node',
  'Range',
  'Selection',
  'EventTarget',
  'Animation',
  'AbortSignal',
  'Response',
  'Request',
  'Headers',
  'ReadableStream',
  'URL',
  'URLSearchParams',
  'Crypto',
];
const checked = Object.fromEntries(interfaces.map((name) => [name, tree.api[name]]));
const members = index({ ...checked, ...builtins }, new Map(), 3);
const functions = index(css.types);

const problems = new Set<string>();
const used = new Set<string>();
let count = 0;

const check = (name: string, file: string, found: readonly (CompatStatement | undefined)[]): void => {
  const known = found.filter((compat) => compat !== undefined);
  count += known.length > 0 ? 1 : 0;
  if (known.length === 0 || known.some(isSupported)) return;
  if (name in fallbacks) used.add(name);
  else problems.add(`${file}: ${name}`);
};

const compatOf = (parent: Tree | undefined, name: string): CompatStatement | undefined =>
  parent && Object.hasOwn(parent, name) ? (parent[name] as Tree).__compat : undefined;

const checkScript = (file: string, source: string): void => {
  const code = source.replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/.*|`[^`]*`|'[^'\n]*'/g, ' ');
  for (const [, object = '', member = ''] of code.matchAll(/\b([A-Z]\w+)\.(\w+)/g)) {
    const owners = [tree.api[object], builtins[object]] as (Tree | undefined)[];
    check(
      `${object}.${member}`,
      file,
      owners.flatMap((owner) => [compatOf(owner, `${member}_static`), compatOf(owner, member)]),
    );
  }
  for (const [, name = ''] of code.matchAll(/(?<![.\w])([a-z]\w+)\(/g))
    check(name, file, [compatOf(tree.api['Window'] as Tree, name)]);
  for (const [, name = ''] of code.matchAll(/(?<=[\w)\]!?])\.(\w+)/g)) check(`.${name}`, file, members.get(name) ?? []);
};

const checkStyles = (file: string, source: string): void => {
  const root = postcssLit.parse(source, { from: file });
  root.walkAtRules(({ name }) => check(`@${name}`, file, [compatOf(css['at-rules'], name)]));
  root.walkRules(({ selector }) => {
    for (const [, name = '', open = ''] of selector.matchAll(/::?([a-z-]+)(\(?)/g))
      check(`:${name}${open && '()'}`, file, [compatOf(css.selectors, name)]);
  });
  root.walkDecls(({ prop, value }) => {
    check(prop, file, [compatOf(css.properties, prop)]);
    if (/\bfrom var\(/.test(value)) check('relative color', file, functions.get('relative_syntax')?.slice(0, 1) ?? []);
    for (const [, name = ''] of value.matchAll(/([a-z-]+)\(/g)) check(`${name}()`, file, functions.get(name) ?? []);
  });
};

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.ts$/.test(file));
for (const file of files) {
  const path = join('src', file);
  const source = readFileSync(path, 'utf8');
  checkScript(path, source);
  if (/\bcss`/.test(source)) checkStyles(path, source);
}

for (const problem of problems)
  console.error(`${problem} is newer than Chrome 114, Safari 17 or Firefox 125, and has no fallback.`);
console.log(`browsers: ${count} uses in ${files.length} files, ${used.size} features with a fallback`);
for (const name of Object.keys(fallbacks).filter((each) => !used.has(each))) {
  console.error(`${name} is listed as having a fallback, and is not used or needs none.`);
  problems.add(name);
}
if (problems.size > 0 || count < 1_000) process.exitCode = 1;
