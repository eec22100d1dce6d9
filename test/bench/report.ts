/** Collects the measurements in tables, compares them with the targets, and writes both as Markdown. */
import { cpus, loadavg } from 'node:os';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { generatedSections } from './sections.ts';

/** Null when a widget cannot do it, or not within a minute. */
export type Value = number | null;

interface Target {
  what: string;
  value: Value;
  limit: number;
  unit: string;
}

export const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const show = (value: Value | undefined, digits: number): string => value?.toFixed(digits) ?? '–';

export class Report {
  readonly #names: string[];
  readonly #rows: string[][] = [];
  readonly #targets: Target[] = [];

  /** @param names The compared pages, in the order of the columns. */
  constructor(names: string[]) {
    this.#names = names;
  }

  /** Adds a row to the table and prints it. */
  add(what: string, values: Map<string, Value>, digits = 0): void {
    const cells = this.#names.map((name) => show(values.get(name), digits));
    this.#rows.push([what, ...cells]);
    console.log(what.padEnd(50) + cells.map((cell, index) => cell.padStart(this.#names[index]!.length + 2)).join(''));
  }

  judge(what: string, value: Value, limit: number, unit = ''): void {
    this.#targets.push({ what, value, limit, unit });
  }

  get targets(): string[] {
    return this.#targets.map(({ what, value, limit, unit }) => {
      const digits = limit < 10 ? 2 : 1;
      const verdict = value === null ? 'not measured' : value <= limit ? 'met' : 'NOT MET';
      return `| ${what} | ${show(value, digits)}${unit} | ${limit}${unit} | ${verdict} |`;
    });
  }

  async write(file: URL, { browser, runs, seconds, markdown }: Circumstances): Promise<void> {
    const [load = 0] = loadavg();
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
    const date = new Date().toISOString().slice(0, 10);
    const text = `# What it costs

Made by \`npm run bench\` on ${date}: ${machine}, Node ${process.versions.node}, Chromium ${browser}, load ${load.toFixed(1)} at
the end of ${Math.round(seconds / 60)} minutes. Medians of ${runs} runs, each in a fresh profile; all widgets in the same run, from the same
server. The times depend on this machine. The ratios depend on it less.

| | ${this.#names.join(' | ')} |
| --- |${this.#names.map(() => ' ---: |').join('')}
${this.#rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

“–” is what could not be measured: the baselines have no launcher and store nothing, deep-chat has no launcher and is visible
when it is usable, and a measurement is given up after a minute.

- *Visible*: the launcher, or what is there instead of it, has been painted. *Usable*: it was clicked, and the field for
  writing has been painted. Both from asking for the page, with an empty cache. *Without a click*: in the page itself, as deep-chat always is. Ours still loads the launcher first. *From npm*: the package in an application that Vite has bundled. Bytes are
  scripts and styles, in brotli, with what was preloaded and prefetched by then.
- *Page without a click*: three seconds after the load of a page whose chat nobody opens. Its KiB are those of the page itself and of all that it
  fetches, also for later. *At rest*: after that.
- *Blocking*: what tasks took past 50 ms until it was usable. *Slower processor*: slowed down four times by the browser.
  *Phone*: that, and 1.6 Mbit/s with 150 ms to the server and back.
- *Opened on a loaded page*: from the click to the painted field, when the page has been loaded for 2.5 seconds.
- *Work*: all tasks of the main thread, with layout, styles, paint and the reading of the stream. *First reply*: to a message that is
  sent as soon as one can type. The other replies follow a shorter one. *Stream*: a reply that arrives as fast as the connection allows. *Steady*: one delta of 5 characters each 2 ms. *Bursts*: 100 such deltas each 10 ms.
- *Plain paragraphs in the panel*: the baseline draws the reply in our panel, in place of our own code for replies.
- *Last byte to last character*, *missed frames*: of a reply that arrives at 5,000 characters a second.
- *Restore*: until the newest of 1,000 stored messages can be read. *Append*: a reply of 1,000 characters. *Script heap*: after garbage
  collection.
- *Paste*: a text into the composer, and a key after it, until both are painted. The target is beside a plain textarea in the same page.

## Targets

| | measured | at most | |
| --- | ---: | ---: | --- |
${this.targets.join('\n')}

## Side by side

The same reply in four widgets with their own defaults, on a desktop and on a phone. \`npm run bench:pictures\` makes these pictures
again, and five more in \`test/screenshots/side-by-side\`: the empty conversation, a form, a failure, dark, and Arabic.

![workspace-chat, deep-chat, Carbon AI Chat and n8n chat on a desktop](side-by-side-desktop.png)

![workspace-chat, deep-chat, Carbon AI Chat and n8n chat on a phone](side-by-side-phone.png)

## Markdown alone

\`\`\`
${markdown}
\`\`\`

${generatedSections().join('\n')}`;
    writeFormatted(file, text);
  }
}

interface Circumstances {
  browser: string;
  runs: number;
  seconds: number;
  /** The output of the Markdown benchmark. */
  markdown: string;
}
