/** Renders the manifest as Markdown: the API reference. */
import type { ClassField, ClassMethod } from 'custom-elements-manifest/schema';
import type { Manifest } from '../../scripts/manifest.ts';

type Field = ClassField & { readonly?: boolean };

/** Formats the text of a table cell as one line, with escaped `|`. */
const cell = (text = ''): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .trim();
const code = (text = ''): string => (text ? `\`${cell(text)}\`` : '');

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const signature = ({ name, parameters = [] }: ClassMethod): string =>
  `${name}(${parameters.map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${type?.text ?? 'unknown'}`).join(', ')})`;

const byName = <T extends { name: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((each) => [each.name, each]));

const described = (list: readonly { name: string; description?: string }[], show = code): string[][] =>
  list.map(({ name, description }) => [show(name), cell(description)]);

const isField = (member: { kind: string }): member is Field => member.kind === 'field';

const propertySections = ({ attributes = [], members = [] }: Manifest['element']): string => {
  const fields = [...byName(members.filter(isField)).values()];
  const attributeOf = new Map(attributes.map(({ fieldName, name }) => [fieldName, name]));
  return `## Attributes and properties

Each attribute is also a property. If the two names differ, the table shows the property below the attribute. \`contact\` and
\`strings\` are only properties. If you set a property before the element is defined, the value is kept.

${table(
  ['attribute, property', 'type, meaning'],
  fields
    .filter(({ readonly }) => !readonly)
    .map(({ name, type, default: value, description }) => [
      [...new Set([attributeOf.get(name), name])].map(code).filter(Boolean).join('<br>'),
      `${code(type?.text)}<br>${cell(description)}${value ? ` Default: ${code(value)}.` : ''}`,
    ]),
)}

## Read-only properties

${table(
  ['property', 'type, meaning'],
  fields
    .filter(({ readonly }) => readonly)
    .map(({ name, type, description }) => [code(name), `${code(type?.text)}<br>${cell(description)}`]),
)}

No property contains the conversation token.`;
};

const methodSection = ({ members = [] }: Manifest['element']): string => `## Methods

You can call them after the element is defined: \`await customElements.whenDefined('workspace-chat')\`.

${members
  .filter((member): member is ClassMethod => member.kind === 'method')
  .map((method) => {
    const result = method.return?.type?.text ?? 'void';
    return `### ${method.name}\n\n\`\`\`ts\n${signature(method)}: ${result}\n\`\`\`\n\n${method.description ?? ''}${
      method.return?.description ? ` ${method.return.description}` : ''
    }`;
  })
  .join('\n\n')}`;

const eventSection = ({ element: { events = [] }, eventClasses }: Manifest): string => {
  const fieldsOf = (type: string): string =>
    (eventClasses.get(type)?.members ?? [])
      .filter(isField)
      .map(
        ({ name, type, description }) =>
          `${code(`${name}: ${type?.text}`)}${description ? ` ${cell(description)}` : ''}`,
      )
      .join('<br>');
  return `## Events

Events bubble and cross shadow roots. Each has its own class, which the package exports.

${table(
  ['event', 'when, and its fields'],
  events.map(({ name, type, description }) => [
    code(name),
    [cell(description), fieldsOf(type.text)].filter(Boolean).join('<br>'),
  ]),
)}

Besides the codes of the service, \`workspace-chat-error\` has \`configuration\`, \`network\`, \`interrupted\`, \`unconfirmed\`,
\`storage_unavailable\` and \`chunk_failed\`.`;
};

const styleSections = ({
  cssProperties = [],
  cssParts = [],
  cssStates,
}: Manifest['element']): string => `## CSS custom properties

${table(
  ['property', 'meaning, default'],
  cssProperties.map(({ name, description, default: value }) => [code(name), `${cell(description)}<br>${code(value)}`]),
)}

## CSS parts

${table(
  ['part', ''],
  described(cssParts, (name) => code(`::part(${name})`)),
)}

## CSS states

${table(
  ['state', ''],
  described(cssStates, (name) => code(`:state(${name})`)),
)}`;

export const referenceOf = (manifest: Manifest): string => {
  const { element } = manifest;
  return `# API reference

This page lists every public name. A public name changes only in a new major version. The page is generated from
\`custom-elements.json\`, which the package contains for editors and other tools.

\`import 'workspace-chat'\` defines the tag. \`workspace-chat/element.js\` exports the class, \`WorkspaceChatElement\`, without
defining it. You can import both on a server.

${propertySections(element)}

${methodSection(element)}

${eventSection(manifest)}

${styleSections(element)}

## Slots

${table(['slot', 'where'], described(element.slots ?? []))}
`;
};
