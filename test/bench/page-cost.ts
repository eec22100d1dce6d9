/**
 * `npm run bench:page`: measures what a page pays for a chat that nobody opens, beside deep-chat and a page without a chat. Prints the
 * medians. `-- --own=folder` measures the files of another build as well, in the same run.
 */
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { deepChat, own, plain, type Peer } from './peers.ts';
import { median } from './report.ts';
import { serveBench, type BenchServer } from './server.ts';
import { measureUnopened, type Cost } from './unopened.ts';

installPackages('bench');

const runs = 6;
const other = process.argv.find((argument) => argument.startsWith('--own='))?.slice(6);
const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
const otherServer = other ? await serveBench({ own: other }) : null;
const browser = await launchBrowser();
const trials: [name: string, server: BenchServer, peer: Peer][] = [
  ['a page without a chat', server, plain],
  ['deep-chat', server, deepChat],
  ['workspace-chat', server, own],
  ...(otherServer ? [['workspace-chat, other build', otherServer, own] as [string, BenchServer, Peer]] : []),
];
for (const slowdown of [1, 4]) {
  const costs = new Map<string, Cost[]>(trials.map(([name]) => [name, []]));
  for (let run = 0; run < runs; run++)
    for (const [name, from, peer] of trials)
      costs.get(name)!.push(await measureUnopened(browser, from, peer, slowdown));
  console.log(`\nprocessor ${slowdown}×`.padEnd(33), 'work, ms', ' files', '   KiB', ' frames a second');
  for (const [name, list] of costs) {
    const of = (key: keyof Cost) => median(list.map((cost) => cost[key]));
    console.log(
      name.padEnd(30),
      of('work').toFixed(0).padStart(9),
      of('files').toFixed(0).padStart(6),
      of('kibibytes').toFixed(1).padStart(7),
      of('frames').toFixed(0).padStart(10),
    );
  }
}
await browser.close();
await server.close();
await otherServer?.close();
await widget.remove();
