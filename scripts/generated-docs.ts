/**
 * Writes the API reference, docs/api.md, from the manifest, and the table of focus and announcements into docs/accessibility.md.
 * Run it with `npx tsx scripts/generated-docs.ts`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ClassField, ClassMethod } from 'custom-elements-manifest/schema';
import { attentionTable, type AttentionEvent } from '../src/elements/attention-table.ts';
import { manifest, type Manifest } from './manifest.ts';
import { writeFormatted } from './write-formatted.ts';

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
  // The analyzer lists a documented property of a parameter, such as `options.signal`, as a parameter of its own.
  `${name}(${parameters
    .filter(({ name }) => !name.includes('.'))
    .map(({ name, type, optional }) => `${name}${optional ? '?' : ''}: ${type?.text ?? 'unknown'}`)
    .join(', ')})`;

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

const eventSection = ({
  element: { events = [] },
  eventClasses,
}: Pick<Manifest, 'element' | 'eventClasses'>): string => {
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

const referenceOf = ({ element, eventClasses }: Pick<Manifest, 'element' | 'eventClasses'>): string => {
  return `<!-- generated by scripts/generated-docs.ts -->

# API reference

This page lists every public name. A public name changes only in a new major version. The page is generated from
\`custom-elements.json\`, which the package contains for editors and other tools.

\`import 'workspace-chat'\` defines the tag. \`workspace-chat/element.js\` exports the class, \`WorkspaceChatElement\`, without
defining it. You can import both on a server.

${propertySections(element)}

${methodSection(element)}

${eventSection({ element, eventClasses })}

${styleSections(element)}

## Slots

${table(['slot', 'where'], described(element.slots ?? []))}
`;
};

const file = fileURLToPath(new URL('../docs/api.md', import.meta.url));

/** The formatter pads the cells of a table. */
const withoutPadding = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

/** Returns docs/api.md as it is and as the manifest makes it, both without padding. */
export const referencePage = async (): Promise<{ current: string; written: string }> => ({
  current: withoutPadding(readFileSync(file, 'utf8')),
  written: withoutPadding(referenceOf(await manifest())),
});

const accessibilityFile = fileURLToPath(new URL('../docs/accessibility.md', import.meta.url));
const beginOfTable = '<!-- attention table: generated by scripts/generated-docs.ts -->';
const endOfTable = '<!-- end of the attention table -->';

/** What happens, and what screen readers announce, in words. */
const descriptions: Record<AttentionEvent, [event: string, announcement: string]> = {
  'reply-completed': ['A reply is complete', '“Assistant:” and its text'],
  'team-message-received': ['A person of the team has written', '“Team:” and the text'],
  'notice-added': ['A notice is added, such as “A teammate has joined the conversation.”', 'the notice'],
  'message-sent': ['A message was sent, and the reply is not complete', '“Replying…”'],
  'message-waiting': [
    'A message waits: offline, too many messages, another tab, a busy service',
    'the sentence of the banner, once for each reason, without the countdown',
  ],
  'turn-failed': ['A message could not be sent, or a reply was cut off', 'the reason'],
  'reply-stopped': ['The visitor has pressed Stop', '“Stopped”'],
  'consent-requested': ['The agent asks to use a tool of the page', 'the question and its details'],
  'conversation-erased': ['The conversation was erased, here or in another tab', '“New conversation”'],
  'conversation-hidden': ['The transcript is hidden until the visitor’s identity is proven', ''],
  'message-edited': ['The visitor has pressed Edit', ''],
  'control-removed': [
    'The focused control disappears or is disabled: a starter, an option, a time, a form, a prompt',
    '',
  ],
  'consent-expiring': ['Half of the time for a question of a tool has passed', 'the time that is left'],
  'consent-timed-out': ['The visitor did not reply to the question of a tool in time', '“The question has timed out.”'],
  'suggestions-shown': ['The page offers messages below a reply', '“Suggestions:” and the messages'],
  'text-copied': ['A reply or code was copied', '“Copied”'],
  'text-failed': ['A reply or code could not be copied, and is selected', '“Failed: Copy”'],
  'language-changed': ['The language has changed', 'the name of the language'],
  'conversation-started': ['The visitor has chosen “New conversation”', ''],
};

const focusNames = {
  unchanged: 'unchanged',
  composer: 'the composer',
  next: 'the composer, or on touch screens the transcript',
};

const attentionRows = (): string => {
  const rows = Object.entries(attentionTable).map(([name, { focus, isUrgent, delay = 0 }]) => {
    const [event, announcement] = descriptions[name as AttentionEvent];
    const politeness = isUrgent ? 'assertive' : 'polite';
    const after = delay > 0 ? `, after ${delay / 1000} s` : '';
    return [
      event,
      focusNames[focus ?? 'unchanged'],
      announcement || 'nothing',
      announcement ? `${politeness}${after}` : '',
    ];
  });
  return table(['Event', 'Focus', 'Announcement', 'Politeness'], rows);
};

/** Returns docs/accessibility.md as it is and with the current table, both without padding. */
export const accessibilityPage = (): { current: string; written: string } => {
  const current = withoutPadding(readFileSync(accessibilityFile, 'utf8'));
  const [before, rest] = current.split(beginOfTable) as [string, string];
  const after = rest.slice(rest.indexOf(endOfTable));
  return { current, written: `${before}${beginOfTable}\n\n${withoutPadding(attentionRows())}\n\n${after}` };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFormatted(file, referenceOf(await manifest()));
  writeFormatted(accessibilityFile, accessibilityPage().written);
}
