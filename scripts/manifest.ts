/**
 * Creates `custom-elements.json`, the description of the element for tools and docs, from its JSDoc and its tokens, and from it the
 * data for editors: VS Code's custom data (the element for HTML files, and its properties, parts and states for CSS files), and the
 * web types for JetBrains editors.
 */
import { readFile } from 'node:fs/promises';
import { create, ts } from '@custom-elements-manifest/analyzer/index.js';
import { litPlugin } from '@custom-elements-manifest/analyzer/src/features/framework-plugins/lit/lit.js';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import type { ClassDeclaration, ClassMember, CustomElement, Package } from 'custom-elements-manifest/schema';
import { panelTokens } from '../src/styles/panel-tokens.ts';
import { tokens } from '../src/styles/tokens.ts';
import { attributeName } from '../src/workspace-chat/attribute-name.ts';

/** The fields that the analyzer adds to the schema. */
export type ElementDeclaration = Omit<ClassDeclaration, 'members'> &
  CustomElement & { cssStates: { name: string; description?: string }[] };

export interface Manifest {
  package: Package;
  element: ElementDeclaration;
  /** The classes of the events, by name. */
  eventClasses: ReadonlyMap<string, ClassDeclaration>;
}

const root = new URL('../', import.meta.url);

/** The version of the schema in the package `custom-elements-manifest`. */
const schemaVersion = '2.1.0';

/** Returns the text between the bracket at `start` and its closing bracket. */
const bracketed = (text: string, start: number): string => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(start + 1, at);
  }
  throw new Error('The tokens contain a bracket that is not closed.');
};

/** Reads the default of every public custom property from the style sheet. */
export const tokenDefaults = (): Map<string, string> => {
  const css = `${tokens.cssText}${panelTokens.cssText}`.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const defaults = new Map<string, string>();
  for (const { index } of css.matchAll(/var\(\s*--workspace-chat-/g)) {
    const inside = bracketed(css, index + 'var'.length);
    const comma = inside.indexOf(',');
    const value = inside
      .slice(comma + 1)
      .replaceAll(/\s+/g, ' ')
      .replaceAll('--_', '--workspace-chat-');
    defaults.set(inside.slice(0, comma).trim(), value.replaceAll('( ', '(').replaceAll(' )', ')').trim());
  }
  return defaults;
};

/** Members of every element, which the class only extends. */
const inherited = new Set(['addEventListener', 'removeEventListener']);

const isPublic = ({ name, ...member }: ClassMember): boolean =>
  !name.startsWith('#') &&
  !inherited.has(name) &&
  !('static' in member && member.static) &&
  !('privacy' in member && member.privacy === 'private');

/** The analyzer knows only Lit's own names of attributes, such as `baseurl`. */
const nameAttributes = ({ attributes = [], members = [] }: ElementDeclaration): void => {
  for (const attribute of attributes) attribute.name = attributeName(attribute.fieldName!);
  for (const member of members)
    if ('attribute' in member && member.attribute) member.attribute = attributeName(member.name);
};

/** Reads the names of the types that the package exports, such as those of a method's parameters. */
const exportedTypes = async (): Promise<string[]> => {
  const source = await readFile(new URL('src/element.ts', root), 'utf8');
  const lists = [...source.matchAll(/^export type \{([^}]+)\}/gm)];
  return lists.flatMap(([, names]) => names!.split(',').map((name) => name.trim()));
};

const readManifest = async (): Promise<Manifest> => {
  const folder = 'src/workspace-chat';
  // The base class comes before the element, which inherits its members and attributes.
  const files = ['properties', 'workspace-chat', 'events', 'conversation-events', 'consent'].map(
    (name) => `${folder}/${name}.ts`,
  );
  const modules = await Promise.all(
    files.map(async (file) =>
      ts.createSourceFile(file, await readFile(new URL(file, root), 'utf8'), ts.ScriptTarget.ES2022, true),
    ),
  );
  const manifest = create({ modules, plugins: litPlugin(), context: { dev: false } });
  // The analyzer writes 1.0.0, although it also describes what later versions have added.
  manifest.schemaVersion = schemaVersion;
  const [, main, ...events] = files.map((file) => manifest.modules.find(({ path }) => path === file));
  const element = main?.declarations?.find(
    (declaration): declaration is ElementDeclaration => 'tagName' in declaration && 'cssStates' in declaration,
  );
  if (!element) throw new Error(`${files[1]} declares no element.`);
  const defaults = tokenDefaults();
  element.members = element.members!.filter(isPublic);
  nameAttributes(element);
  // The analyzer lists every `new …Event(…)` as an event of the element.
  element.events = element.events!.filter(({ name }) => name?.startsWith('workspace-chat-'));
  element.cssProperties = element.cssProperties!.map((property) => {
    const value = defaults.get(property.name);
    return value === undefined ? property : { ...property, default: value };
  });
  const declared = events.flatMap((module) => module?.declarations ?? []);
  const classes = declared.filter((declaration) => declaration.kind === 'class');
  for (const member of classes.flatMap(({ members = [] }) => members)) if ('default' in member) delete member.default;
  // The published module is one file that also defines the tag.
  const module = 'dist/index.js';
  const all: (ElementDeclaration | ClassDeclaration)[] = [element, ...classes];
  manifest.modules = [
    {
      kind: 'javascript-module',
      path: module,
      declarations: all.map((declaration) =>
        declaration.superclass?.module
          ? { ...declaration, superclass: { ...declaration.superclass, module } }
          : declaration,
      ),
      exports: [
        ...[...all.map(({ name }) => name), ...(await exportedTypes())].map((name) => ({
          kind: 'js' as const,
          name,
          declaration: { name, module },
        })),
        {
          kind: 'custom-element-definition' as const,
          name: element.tagName!,
          declaration: { name: element.name, module },
        },
      ],
    },
  ];
  return { package: manifest, element, eventClasses: new Map(classes.map((each) => [each.name, each])) };
};

let read: Promise<Manifest> | undefined;

export const manifest = (): Promise<Manifest> => (read ??= readManifest());

interface Described {
  name: string;
  description?: string;
}

/** Returns the members of a union of strings, such as `'end' | 'start'`, or an empty list for any other type. */
export const valuesOf = (type = ''): string[] => [...type.matchAll(/'([^']+)'/g)].map((match) => match[1]!);

const described = (name: string, description?: string): Described => ({ name, ...(description && { description }) });

export const htmlData = ({ tagName, description, attributes = [] }: ElementDeclaration) => ({
  version: 1.1,
  tags: [
    {
      ...described(tagName!, description),
      attributes: attributes.map(({ name, description, type }) => ({
        ...described(name, description),
        ...(type?.text === 'boolean' && { valueSet: 'v' }),
        ...(valuesOf(type?.text).length > 0 && { values: valuesOf(type?.text).map((value) => ({ name: value })) }),
      })),
    },
  ],
});

export const cssData = ({ cssProperties = [], cssParts = [], cssStates }: ElementDeclaration) => ({
  version: 1.1,
  properties: cssProperties.map(({ name, description, default: value }) =>
    described(name, [description, value && `Default: ${value}`].filter(Boolean).join('\n\n')),
  ),
  pseudoElements: cssParts.map(({ name, description }) => described(`::part(${name})`, description)),
  pseudoClasses: cssStates.map(({ name, description }) => described(`:state(${name})`, description)),
});

/** The documentation has no public address yet, so the link to it is left out. */
const withoutDocsLink = (name: string, value: unknown): unknown => (name === 'doc-url' ? undefined : value);

/** The generator's types name fewer kinds of declarations than the schema, and it ignores the others. */
type GeneratorInput = Parameters<typeof getWebTypesData>[0];

export const webTypes = (manifest: Package): unknown =>
  JSON.parse(getWebTypesData(manifest as GeneratorInput, {}), withoutDocsLink);
