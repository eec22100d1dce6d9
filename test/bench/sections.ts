/** The sections of `docs/figures.md` whose measurements have commands of their own. Each one is made from a stored file. */
import abilities from './abilities.json' with { type: 'json' };
import lighthouse from './lighthouse.json' with { type: 'json' };
import pages from './pages.json' with { type: 'json' };
import roads from './roads.json' with { type: 'json' };

/** The steps that a newcomer takes until the first reply, and the machine's part of the time. */
export interface Road {
  who: string;
  steps: string[];
  seconds: number;
}

/** What the widgets can do: in each row a sentence, and a cell for each widget. */
export interface Abilities {
  names: string[];
  rows: string[][];
  /** The same for each of the faults, which `rows` counts. */
  faults: string[][];
}

/** Lighthouse's scores of each page of the docs' site, in the order of its categories. */
export type PageScores = Record<string, number[]>;

/** What a widget that nobody opens costs on Lighthouse's phone, in milliseconds. */
export interface PhoneCost {
  script: number;
  blocking: number;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = (header: readonly string[], rows: readonly (readonly string[])[], align = '---:'): string =>
  [row(header), row(header.map((_, index) => (index === 0 ? '---' : align))), ...rows.map(row)].join('\n');

export const abilitiesSection = ({ names, rows, faults }: Abilities): string => `## What works

The same widgets from the same server, each check in a fresh profile (\`npm run bench:abilities\`). The widgets have their own defaults, but
deep-chat, which stores nothing by default, has to store the conversation in the browser. n8n chat asks its server for the earlier messages.

${table(['', ...names], rows, ':---:')}

The policy of the first row allows only scripts and styles of the page's own server. A number of violations means that the reply was
shown, although the browser blocked something. The first message of a visitor meets the fault, after the page has loaded everything.
The widget survives it if the message and the part of the reply that had arrived stay, the chat says that something went wrong, and
the next message gets its reply without a reload:

${table(['fault', ...names], faults, ':---:')}

Tools of the page were not compared.
Widgets that need an account at their maker, such as those of Botpress and Intercom, cannot be measured here.
`;

export const roadsSection = (list: Road[]): string => `## Five roads

From an empty folder to the first reply, as the docs describe it (\`npm run bench:roads\`). The seconds are those of a machine that walks the
road by a script: they say nothing about people.

| newcomer | steps | seconds | what they do |
| --- | ---: | ---: | --- |
${list.map(({ who, steps, seconds }) => `| ${who} | ${steps.length} | ${seconds.toFixed(1)} | ${steps.join('; ')} |`).join('\n')}
`;

export const pagesSection = (scores: PageScores): string => `## The docs themselves

Lighthouse's scores of each page of the built site, on an emulated phone (\`npm run docs:lighthouse\`). Each one must be at least 95. A page
below that is measured twice more, and the median counts.

${table(
  ['page', 'performance', 'accessibility', 'best practices', 'SEO'],
  Object.entries(scores).map(([path, values]) => [`\`${path}\``, ...values.map(String)]),
)}
`;

export const lighthouseSection = (costs: Record<string, PhoneCost>): string => `## On Lighthouse’s phone

A page that has a word and the widget, which nobody opens, by Lighthouse with its emulated phone (\`npm run bench:lighthouse\`, medians of 3).
_Script_ is the time to evaluate and compile scripts. _Blocking_ is Lighthouse’s total blocking time. The last row is the page
itself, whose script measures the others.

${table(
  ['', 'script, ms', 'blocking, ms'],
  Object.entries(costs).map(([name, { script, blocking }]) => [name, `${script}`, `${blocking}`]),
)}

In the pages of the web that third-party-web has measured with the same phone, the scripts of a widget take 33 ms (Crisp), 102 ms
(Chatwoot) and 1,433 ms (Intercom) on average, as of March 2026.
`;

/** Returns the page with `section` instead of the one that has the same heading, or at the end. */
export const withSection = (text: string, section: string): string => {
  const [heading = ''] = section.split('\n');
  const parts = text.trimEnd().split(/\n(?=## )/);
  const index = parts.findIndex((part) => part.startsWith(`${heading}\n`));
  if (index === -1) parts.push(section);
  else parts[index] = section;
  return `${parts.map((part) => part.trim()).join('\n\n')}\n`;
};

export const generatedSections = (): string[] => [
  lighthouseSection(lighthouse),
  abilitiesSection(abilities),
  roadsSection(roads),
  pagesSection(pages),
];
