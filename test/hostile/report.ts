/** Writes the table of docs/security.md. */
import { lists, pageOf } from './lists.ts';
import { classes, type Payload, type PayloadClass } from './payloads.ts';

export interface Finding {
  readonly position: string;
  readonly payload: Payload;
  readonly found: readonly string[];
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const number = (value: number): string => value.toLocaleString('en');

/** Returns the table in Markdown: for each position and class how many payloads had an effect, and how many were tried. */
export const tableOf = (
  payloads: readonly Payload[],
  trials: ReadonlyMap<string, readonly Payload[]>,
  findings: readonly Finding[],
): string => {
  const cell = (position: string, kind: PayloadClass): string => {
    const tried = trials.get(position)!.filter((payload) => payload.kind === kind);
    const found = findings.filter((finding) => finding.position === position && finding.payload.kind === kind);
    return `${number(found.length)} of ${number(tried.length)}`;
  };
  const used = lists.map((list) => `[${list.name}](${pageOf(list)}) (${list.license})`);
  return [
    '',
    row('position', ...classes),
    row('---', ...classes.map(() => '---:')),
    ...[...trials.keys()].map((position) => row(position, ...classes.map((kind) => cell(position, kind)))),
    '',
    `The ${number(payloads.length)} payloads are generated ones, and those of ${used.join(', ')}. Positions that need a turn for each payload try a tenth of the lists.`,
    '',
  ].join('\n');
};
