/**
 * Creates the data for editors: VS Code's custom data (the element for HTML files, and its properties, parts and states for CSS
 * files), and the web types for JetBrains editors.
 */
import type { Package } from 'custom-elements-manifest/schema';
import { getWebTypesData } from 'custom-element-jet-brains-integration';
import type { ElementDeclaration } from './manifest.ts';

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
