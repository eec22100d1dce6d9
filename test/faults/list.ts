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
  ]
    .join('\n\n')
    .concat('\n');
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFormatted(faultsFile, listFaults());
