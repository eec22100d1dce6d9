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

export const referenceOf = ({ element, eventClasses }: Manifest): string => {
  const {
    attributes = [],
    members = [],
    events = [],
    slots = [],
    cssParts = [],
    cssProperties = [],
    cssStates,
  } = element;
  const fields = byName(members.filter((member): member is Field => member.kind === 'field'));
  const attributeOf = new Map(attributes.map(({ fieldName, name }) => [fieldName, name]));
  const settable = [...fields.values()].filter(({ readonly }) => !readonly);
  const described = (list: readonly { name: string; description?: string }[], show = code): string[][] =>
    list.map(({ name, description }) => [show(name), cell(description)]);
  const membersOf = (type: string): string =>
    (eventClasses.get(type)?.members ?? [])
      .filter((member): member is Field => member.kind === 'field')
      .map(
        ({ name, type, description }) =>
          `${code(`${name}: ${type?.text}`)}${description ? ` ${cell(description)}` : ''}`,
      )
      .join('<br>');
  return `# API reference

Everything that a page may rely on; these names do not change without a new major version. It is written from
\`custom-elements.json\`, which the package holds, for editors and other tools as well.

\`import 'workspace-chat'\` defines the tag. \`workspace-chat/element.js\` exports the class, \`WorkspaceChatElement\`, without
defining it. Both can be imported on a server.

## Attributes and properties

Each attribute is a property too, of the name below it where the two differ; \`contact\` and \`strings\` are properties alone.
A property that is set before the element is defined is kept.

${table(
  ['attribute, property', 'type, meaning'],
  settable.map(({ name, type, default: value, description }) => [
    [...new Set([attributeOf.get(name), name])].map(code).filter(Boolean).join('<br>'),
    `${code(type?.text)}<br>${cell(description)}${value ? ` Default: ${code(value)}.` : ''}`,
  ]),
)}

## Read-only properties

${table(
  ['property', 'type, meaning'],
  [...fields.values()]
    .filter(({ readonly }) => readonly)
    .map(({ name, type, description }) => [code(name), `${code(type?.text)}<br>${cell(description)}`]),
)}

The conversation's token is nowhere to be read.

## Methods

They are there once the element is defined: \`await customElements.whenDefined('workspace-chat')\`.

${members
  .filter((member): member is ClassMethod => member.kind === 'method')
  .map((method) => {
    const result = method.return?.type?.text ?? 'void';
    return `### ${method.name}\n\n\`\`\`ts\n${signature(method)}: ${result}\n\`\`\`\n\n${method.description ?? ''}${
      method.return?.description ? ` ${method.return.description}` : ''
    }`;
  })
  .join('\n\n')}

## Events

They bubble and cross shadow roots. Each is a class of its own, which the package exports.

${table(
  ['event', 'when, and what it carries'],
  events.map(({ name, type, description }) => [
    code(name),
    [cell(description), membersOf(type.text)].filter(Boolean).join('<br>'),
  ]),
)}

Besides the codes of the service, \`workspace-chat-error\` has \`configuration\`, \`network\`, \`interrupted\`, \`unconfirmed\`,
\`storage_unavailable\` and \`chunk_failed\`.

## CSS custom properties

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
)}

## Slots

${table(['slot', 'where'], described(slots))}
`;
};
