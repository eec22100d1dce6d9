/** Writes the list of faults into docs/faults.md. Run it with `npx tsx test/faults/list.ts`. */
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { faultGroups } from './index.ts';

export const faultsFile = fileURLToPath(new URL('../../docs/faults.md', import.meta.url));

const proxyAdvice = `## What a proxy should do

Chromium repeats a POST by itself when a connection that it has used before is reset before the first byte of the response. The widget
cannot notice that, and a streamed call has no Idempotency-Key, so the service may process the message twice. A proxy in front of the
service should therefore respond to a call it has received, with 502 or 503, instead of resetting its connection, and it should keep idle
connections open for longer than the service does. The local service sends \`Connection: close\` with every
refused or failed call, so that the next one does not reuse the connection.`;

/** What people, models and other programs write, which unit tests and browser tests cover, with one sample for each kind. */
const texts = `## Texts, forms and files

The unit tests and the tests of the service cover these with many samples of each kind. [Text of replies](text-of-replies.md) states the rules.

- **lines**: A reply has line ends, \`<br>\` or signatures. → Each is a line break.
- **emphasis without spaces**: Bold text touches a letter of any script. → It is bold.
- **thoughts and comments**: A reply contains \`<think>…</think>\` or \`<!-- … -->\`. → They are never shown, also while the reply streams.
- **invisible marks**: A line starts with a direction mark or a no-break space. → It is still a list, heading, quote or table.
- **digits**: A list or a form field has the digits of any script. → They are read as numbers.
- **addresses in a sentence**: A web address touches quotation marks, brackets, a colon or letters. → Only the address is a link.
- **a translator**: It wraps or replaces the text of a reply that streams. → No sentence is repeated, and none is lost.
- **a person’s message**: A visitor or a team member writes asterisks, spaces and lines. → They stay as they are.
- **numbers in a form**: The visitor types \`1,5\` or \`١٫٥\`. → 1.5 is sent, and never 15. Anything that is no number gets a message.
- **invisible characters in a form**: A value was copied with a direction mark, a zero-width space or a byte order mark. → The value is sent without it.
- **labels that begin with others**: A form has the fields “Name” and “Name: last”. → Each value is shown and stored at its field.
- **long messages**: A message has emoji and rare letters. → Both sides count them as one character each.
- **sheets**: A spreadsheet has another separator or encoding, title rows, or merged cells. → It is read.
- **files of another kind**: A file is no text, or its characters are lost. → The source fails with a code and a sentence, and no visitor sees it.
- **front matter**: A Markdown file starts with metadata. → It is not quoted.
- **one contact twice**: An e-mail address differs by its Unicode form, its domain’s form or invisible characters. → It is the same contact.
- **a repeated body**: The same JSON arrives with other spacing under one Idempotency-Key. → It is the same call.`;

/** Returns the current content of docs/faults.md. */
export const listFaults = (): string => {
  const count = faultGroups.reduce((sum, { faults }) => sum + faults.length, 0);
  const lists = faultGroups.map(({ title, faults }) =>
    [
      `## ${title[0]!.toUpperCase()}${title.slice(1)}`,
      '',
      ...faults.map(({ name, cause, outcome }) => `- **${name.replaceAll('_', '\\_')}**: ${cause} → ${outcome}`),
    ].join('\n'),
  );
  return [
    '# Faults',
    `The tests cause each of these ${count} faults for the built widget in Chromium. A server over raw TCP sends the responses that a test defines, or the responses of the local service, changed or cut. Each test checks the rendered transcript, the stored record, the calls that arrived, and the console.`,
    'This list is generated with `npx tsx test/faults/list.ts`.',
    proxyAdvice,
    ...lists,
    texts,
  ]
    .join('\n\n')
    .concat('\n');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFormatted(faultsFile, listFaults());
