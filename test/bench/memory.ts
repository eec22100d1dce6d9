/**
 * `npm run bench:memory`: the memory of the widget. After 200 turns, a reset and a garbage collection, the heap should be
 * within 10 % of its size after 20 turns. A turn on screen should keep at most 20 KiB.
 */
import { launchBrowser } from '../support/browsers/chromium.ts';
import { buildCdn } from '../support/servers/built-widget.ts';
import { Visit } from './measure.ts';
import { own } from './peers.ts';
import { serveBench } from './server.ts';

const widget = await buildCdn();
const server = await serveBench({ own: widget.folder });
const browser = await launchBrowser();
const visit = await Visit.start(browser, server, own);
await visit.open();
const page = browser.contexts()[0]!.pages()[0]!;
const devtools = await page.context().newCDPSession(page);

/** KiB of reachable script objects. */
const heap = async (): Promise<number> => {
  // Collect twice, because objects released by finalizers are freed by the second collection.
  for (let i = 0; i < 2; i++) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1024;
};

const take = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await visit.ask(1_000);
};

await take(20);
const shown20 = await heap();
await page.evaluate(`document.querySelector('workspace-chat').reset()`);
const after20 = await heap();
await take(20);
const before = await heap();
await take(180);
const shown200 = await heap();
await page.evaluate(`document.querySelector('workspace-chat').reset()`);
const after200 = await heap();

const show = (kib: number) => `${kib.toFixed(0)} KiB`;
console.log(`20 turns shown ${show(shown20)}, after reset ${show(after20)}`);
console.log(`200 turns shown ${show(shown200)}, after reset ${show(after200)}`);
console.log(`after reset, 200 turns to 20: ${(after200 / after20).toFixed(3)} (at most 1.1)`);
console.log(`kept a shown turn of 1,000 characters: ${((shown200 - before) / 180).toFixed(1)} KiB (at most 20)`);

await browser.close();
await server.close();
await widget.remove();
