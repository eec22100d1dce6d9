/**
 * `npm run bench:lighthouse`: what a widget that nobody opens costs on Lighthouse's phone, on a page that has nothing else. Writes
 * `lighthouse.json` and `docs/figures.md`.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { writeFormatted } from '../../scripts/write-formatted.ts';
import { chromiumPath } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { plain, widgets } from './peers.ts';
import { median } from './report.ts';
import { lighthouseSection, withSection, type PhoneCost } from './sections.ts';
import { serveBench } from './server.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const runs = 3;

interface Launcher {
  launch(options: {
    chromePath: string;
    chromeFlags: string[];
    logLevel: string;
  }): Promise<{ port: number; kill(): void }>;
}

interface Audit {
  numericValue: number;
  details: { items: { group: string; duration: number }[] };
}

interface Lighthouse {
  default(
    url: string,
    options: { port: number; onlyAudits: string[]; logLevel: string },
  ): Promise<{
    lhr: { audits: Record<string, Audit>; runtimeError?: { message: string } };
  }>;
}

installPackages('bench');
// Types of their own, because the packages are not there before the first run.
const load = async <Type>(name: string): Promise<Type> => (await import(name)) as Type;
const { launch } = await load<Launcher>('chrome-launcher');
const { default: lighthouse } = await load<Lighthouse>('lighthouse');

const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
// Lighthouse measures from the first text that is painted.
server.words = 'Words';
const chrome = await launch({
  chromePath: chromiumPath(),
  chromeFlags: ['--headless=new', '--no-sandbox'],
  logLevel: 'silent',
});

/** The groups of the main thread's work that are script. */
const script = new Set(['scriptEvaluation', 'scriptParseCompile']);

const measure = async (name: string): Promise<PhoneCost | null> => {
  const onlyAudits = ['mainthread-work-breakdown', 'total-blocking-time'];
  const url = `${server.url}/${encodeURIComponent(name)}?later`;
  const { lhr } = await lighthouse(url, { port: chrome.port, onlyAudits, logLevel: 'error' });
  if (lhr.runtimeError) {
    console.log(`${name}: ${lhr.runtimeError.message}`);
    return null;
  }
  const { items } = lhr.audits['mainthread-work-breakdown']!.details;
  const scripts = items.filter(({ group }) => script.has(group)).map(({ duration }) => duration);
  return {
    script: scripts.reduce((sum, duration) => sum + duration, 0),
    blocking: lhr.audits['total-blocking-time']!.numericValue,
  };
};

const names = [...widgets, plain].map(({ name }) => name);
const costs = new Map<string, PhoneCost[]>();
for (let run = 0; run < runs; run++) {
  for (const name of names) {
    const cost = await measure(name);
    if (cost) costs.set(name, [...(costs.get(name) ?? []), cost]);
  }
}
chrome.kill();
await server.close();
await widget.remove();

const medians = Object.fromEntries(
  [...costs].map(([name, list]) => [
    name,
    {
      script: Math.round(median(list.map((cost) => cost.script))),
      blocking: Math.round(median(list.map((cost) => cost.blocking))),
    },
  ]),
);
console.table(medians);
writeFormatted(pathOf('lighthouse.json'), JSON.stringify(medians));
const figures = pathOf('../../docs/figures.md');
writeFormatted(figures, withSection(await readFile(figures, 'utf8'), lighthouseSection(medians)));
