/**
 * `npm run bench:page`: measures what a page pays for a chat that nobody opens, beside deep-chat and a page without a chat. Prints the
 * medians. `-- --own=folder` measures the files of another build as well, in the same run.
 */
import type { Browser } from 'playwright';
import { launchBrowser } from '../support/browsers/chromium.ts';
import { installPackages } from '../support/packages-of.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { deepChat, own, plain, type Peer } from './peers.ts';
import { median } from './report.ts';
import { serveBench, type BenchServer } from './server.ts';

installPackages('bench');

const runs = 6;
/** Milliseconds after the load at which the work is read, and for which frames are counted after that. */
const settling = 3_000;
const watched = 2_000;

interface Cost {
  /** Milliseconds of all tasks of the main thread until the page has settled. */
  work: number;
  files: number;
  kibibytes: number;
  /** Animation frames that scripts request in a second, once the page has settled. */
  frames: number;
}

const measure = async (browser: Browser, server: BenchServer, peer: Peer, slowdown: number): Promise<Cost> => {
  const context = await browser.newContext({ viewport: { width: 420, height: 800 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('Network.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  let bytes = 0;
  let files = 0;
  devtools.on('Network.responseReceived', ({ type }) => {
    if (type === 'Script' || type === 'Other') files++;
  });
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(`
    const request = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => { window.frameCount = (window.frameCount ?? 0) + 1; return request(callback); };
  `);
  await page.goto(`${server.url}/${encodeURIComponent(peer.name)}?later`);
  await page.waitForTimeout(settling);
  const { metrics } = await devtools.send('Performance.getMetrics');
  const work = metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  const before = Number(await page.evaluate('window.frameCount ?? 0'));
  await page.waitForTimeout(watched);
  const frames = (Number(await page.evaluate('window.frameCount ?? 0')) - before) / (watched / 1000);
  await context.close();
  return { work, files, kibibytes: bytes / 1024, frames };
};

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
    for (const [name, from, peer] of trials) costs.get(name)!.push(await measure(browser, from, peer, slowdown));
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
