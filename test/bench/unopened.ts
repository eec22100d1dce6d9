/** Measures what a page pays for a chat that nobody opens. */
import type { Browser } from 'playwright';
import type { Peer } from './peers.ts';
import type { BenchServer } from './server.ts';

/** Milliseconds after the load at which the work is read, and for which frames are counted after that. */
const settling = 3_000;
const watched = 2_000;

export interface Cost {
  /** Milliseconds of all tasks of the main thread until the page has settled. */
  work: number;
  files: number;
  kibibytes: number;
  /** Animation frames that scripts request in a second, once the page has settled. */
  frames: number;
}

export const measureUnopened = async (
  browser: Browser,
  server: BenchServer,
  peer: Peer,
  slowdown: number,
): Promise<Cost> => {
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
