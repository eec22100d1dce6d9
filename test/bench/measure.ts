/** Measures one page of one widget in a new browser profile. */
import type { Browser, CDPSession, Page } from 'playwright';
import type { Harness } from './harness.ts';
import { leaveHistory, words } from './history.ts';
import type { Peer } from './peers.ts';
import { fastest, type BenchServer, type Speed } from './server.ts';

declare global {
  interface Window {
    bench: Harness;
  }
}

/** The timeout for a chat to appear, in milliseconds. */
const chatTimeout = 60_000;

export interface Asked {
  /** Milliseconds of all tasks of the main thread: the stream, scripts, styles, layout, paint. */
  task: number;
  /** The longest task in milliseconds, or 0 when no task exceeds 50 ms. */
  longest: number;
  /** Milliseconds from the last byte sent to the last character painted. */
  lag: number;
  /** The share of missed frames. */
  missed: number;
}

let responses = 0;

export class Visit {
  readonly #page: Page;
  readonly #peer: Peer;
  readonly #server: BenchServer;
  readonly #devtools: CDPSession;

  private constructor(page: Page, devtools: CDPSession, server: BenchServer, peer: Peer) {
    this.#page = page;
    this.#devtools = devtools;
    this.#server = server;
    this.#peer = peer;
  }

  /**
   * @param slowdown The factor by which the processor is slowed down.
   * @param isFar Whether to emulate a phone's network: 1.6 Mbit/s and a round trip of 150 ms.
   * @param history The number of messages of an earlier visit.
   * @param isLater Whether the launcher is clicked by `openLater`, and not at once.
   */
  static async start(
    browser: Browser,
    server: BenchServer,
    peer: Peer,
    { slowdown = 1, isFar = false, history = 0, isLater = false } = {},
  ) {
    const context = await browser.newContext({ viewport: { width: 420, height: 800 } });
    context.setDefaultTimeout(chatTimeout);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable');
    server.earlier = [];
    if (history > 0) await leaveHistory(page, server, peer, history);
    if (isFar) {
      await devtools.send('Network.enable');
      const throughput = 1_600_000 / 8;
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 150,
        downloadThroughput: throughput,
        uploadThroughput: throughput,
      });
    }
    if (slowdown > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${server.url}/${encodeURIComponent(peer.name)}${isLater ? '?later' : ''}`);
    return new Visit(page, devtools, server, peer);
  }

  /** Milliseconds from the navigation until the visitor can type. */
  async open() {
    const marks = await this.#page.evaluate(() => window.bench.opening);
    return { ...marks, blocking: (await this.#blocking()).total };
  }

  /** Opens the chat on a page that has been loaded for a while, so that everything is prefetched. */
  async openLater() {
    await this.#page.waitForTimeout(2500);
    await this.settle();
    await this.#blocking();
    await this.#page.evaluate(() => window.bench.click());
    return this.open();
  }

  /** The elements of the page, and the bytes of reachable script objects. */
  async weigh(): Promise<{ elements: number; heap: number }> {
    // Objects that finalizers release are freed by the next collection.
    for (let time = 0; time < 3; time++) await this.#devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await this.#devtools.send('Runtime.getHeapUsage');
    return { elements: await this.#page.evaluate(() => window.bench.countElements()), heap: usedSize };
  }

  bytes(): Promise<number> {
    return this.#page.evaluate(() => window.bench.bytes());
  }

  /** Milliseconds until the newest and the oldest stored message are on the page, and the work of the main thread until then. */
  async restored(): Promise<{ newest: number; whole: number; task: number }> {
    const of = (word: string) => this.#page.evaluate((text) => window.bench.isThere(text), word);
    const [newest, whole] = await Promise.all([of(words.last), of(words.first)]);
    return { newest, whole, task: await this.#taskTime() };
  }

  /**
   * Shows the elements of the restored messages once more, as plain elements that the browser makes of finished HTML, in steps of a
   * page. Returns the work of the main thread in milliseconds: less is not possible with these elements.
   */
  async insertElements(): Promise<number> {
    await this.#page.evaluate(() => window.bench.takeMessages());
    await this.settle();
    const before = await this.#taskTime();
    await this.#page.evaluate(() => window.bench.insertMessages());
    return (await this.#taskTime()) - before;
  }

  /** Requests a reply of `length` characters as a visitor does, and waits until its end is painted. */
  async ask(length: number, speed: Partial<Speed> = {}): Promise<Asked> {
    const ending = `end-of-reply-${++responses}`;
    this.#server.next = { length, ending, ...fastest, ...speed };
    const { host = 'body', field } = this.#peer;
    await this.#page.locator(`${host} ${field}`).first().fill('Go on');
    await this.#blocking();
    await this.#page.evaluate((text) => {
      Object.assign(window, { shown: window.bench.appears(text), stop: window.bench.countFrames() });
    }, ending);
    const before = await this.#taskTime();
    await this.#page.keyboard.press('Enter');
    const waiting = this.#page.evaluate<number>('window.shown');
    const shownAt = await Promise.race([
      waiting,
      new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error(`not within ${chatTimeout} ms`)), chatTimeout),
      ),
    ]);
    const missed = await this.#page.evaluate<number>('window.stop()');
    const task = (await this.#taskTime()) - before;
    const { longest } = await this.#blocking();
    return { task, longest, lag: shownAt - this.#server.lastByteAt, missed };
  }

  /** Waits until the page has been idle for a while. */
  async settle(): Promise<void> {
    for (let before = -1, now = 0; now - before > 5;) {
      before = now;
      await this.#page.waitForTimeout(250);
      now = await this.#taskTime();
    }
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  #blocking() {
    return this.#page.evaluate(() => window.bench.blocking());
  }

  async #taskTime(): Promise<number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  }
}
