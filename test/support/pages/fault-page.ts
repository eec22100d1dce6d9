/** A visitor's page under a fault: what it shows, what it keeps, and what it complains of. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright';
import type { StoredRecord } from '../../../src/chat/storage/record.ts';
import { transcriptOf } from './transcript-of.ts';

export interface PageOptions {
  /** Attributes of the element beside those it needs. */
  attributes?: Record<string, string>;
  /** Runs in the page before anything else. */
  init?: string;
  /** The page's time stands under the test's control. */
  clock?: boolean;
  /** The page makes no element by itself. */
  isBare?: boolean;
}

/** Counts the pieces of bodies that the page has read. */
const countArrivals = `
  window.arrivals = 0;
  const { read } = ReadableStreamDefaultReader.prototype;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const result = await read.call(this);
    queueMicrotask(() => window.arrivals++);
    return result;
  };
`;

const hashOf = ({ attributes = {} }: PageOptions) => `#${encodeURIComponent(JSON.stringify(attributes))}`;

export class FaultPage {
  readonly context: BrowserContext;
  readonly url: string;
  readonly #options: PageOptions;
  readonly #complaints: string[] = [];
  page: Page;

  constructor(context: BrowserContext, page: Page, url: string, options: PageOptions) {
    this.context = context;
    this.page = page;
    this.url = url;
    this.#options = options;
    context.on('page', (opened) => this.#listen(opened));
    this.#listen(page);
  }

  static async open(browser: Browser, url: string, options: PageOptions): Promise<FaultPage> {
    const context = await browser.newContext({ viewport: { width: 800, height: 700 }, locale: 'en-GB' });
    context.setDefaultTimeout(8_000);
    // The compiler names the functions that run in the page by a call that the page does not know.
    await context.addInitScript('window.__name = (value) => value');
    await context.addInitScript(countArrivals);
    await context.addInitScript('window.own = { factory: indexedDB, open: IDBFactory.prototype.open }');
    if (options.isBare) await context.addInitScript('window.isBare = true');
    if (options.init) await context.addInitScript(options.init);
    const visitor = new FaultPage(context, await context.newPage(), url + hashOf(options), options);
    if (options.clock) await visitor.page.clock.install();
    await visitor.page.goto(visitor.url);
    if (!options.isBare) await visitor.ready();
    return visitor;
  }

  /** One more tab of the same browser. */
  async openTab(): Promise<FaultPage> {
    const tab = new FaultPage(this.context, await this.context.newPage(), this.url, this.#options);
    if (this.#options.clock) await tab.page.clock.install();
    await tab.page.goto(this.url);
    if (!this.#options.isBare) await tab.ready();
    return tab;
  }

  get element() {
    return this.page.locator('workspace-chat').first();
  }

  get input() {
    return this.element.locator('textarea');
  }

  button(name: string) {
    return this.element.getByRole('button', { name, exact: true });
  }

  async ready(): Promise<void> {
    await this.input.waitFor();
    await this.page.waitForFunction(() => {
      const send = document.querySelector('workspace-chat')!.shadowRoot!.querySelector('textarea');
      return send !== null && window.customElements.get('workspace-chat') !== undefined;
    });
  }

  async send(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Lets the page's own clock run. */
  async pass(milliseconds: number): Promise<void> {
    await this.page.clock.fastForward(milliseconds);
  }

  /** Has the page given more bytes by `write`, and waits until it has read them. */
  async reads(write: () => unknown): Promise<void> {
    const before = await this.page.evaluate('window.arrivals');
    write();
    await this.page.waitForFunction(`window.arrivals > ${before as number}`);
  }

  /** Waits until no turn is under way. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() => {
      const element = document.querySelector('workspace-chat');
      return element !== null && !element.busy;
    });
  }

  /** What the transcript shows, an entry a line: who, what, in which state, with which buttons. */
  async transcript(): Promise<string[]> {
    return this.element.evaluate(transcriptOf);
  }

  /** Waits until the transcript shows exactly this. */
  async shows(...expected: string[]): Promise<void> {
    await this.until(() => this.transcript(), expected);
  }

  /** Waits until the line above the composer says this; nothing: until it is gone. */
  async banner(expected: string | null): Promise<void> {
    await this.until(
      () =>
        this.element.evaluate((element) => element.shadowRoot!.querySelector('.banner')?.textContent?.trim() ?? null),
      expected,
    );
  }

  /** Looks again until what it sees is as expected; what it saw last is the failure. */
  async until<Value>(look: () => Promise<Value>, expected: Value, patience = 4_000): Promise<void> {
    const end = performance.now() + patience;
    for (;;) {
      const seen = await look();
      try {
        assert.deepEqual(seen, expected);
        return;
      } catch (error) {
        if (performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  /** The stored record; null when there is none. */
  async record(): Promise<StoredRecord | null> {
    return this.page.evaluate(
      () =>
        new Promise<StoredRecord | null>((resolve, reject) => {
          // The browser's own, whatever the fault has made of it.
          const { own } = window as unknown as { own: { factory: IDBFactory; open: IDBFactory['open'] } };
          const request = own.open.call(own.factory, 'workspace-chat');
          request.onerror = () => reject(request.error!);
          request.onupgradeneeded = () => request.transaction!.abort();
          request.onsuccess = () => {
            if (!request.result.objectStoreNames.contains('conversations')) return resolve(null);
            const all = request.result.transaction('conversations').objectStore('conversations').getAll();
            all.onsuccess = () => resolve((all.result[0] as StoredRecord | undefined) ?? null);
            request.result.close();
          };
        }),
    );
  }

  /** What is stored, in short, an entry a line; the last line says whether the pair is kept. */
  async stored(): Promise<string[] | null> {
    const record = await this.record().catch(() => null);
    if (!record) return null;
    return [
      ...record.messages.map((message) => {
        if (message.role === 'user') return `visitor ${message.delivery}: ${message.text}`;
        return message.role === 'notice'
          ? `notice ${message.code}`
          : `${message.actor} ${message.ending}: ${message.text}`;
      }),
      record.conversationToken ? `pair ${record.conversationId}` : 'no pair',
    ];
  }

  async keeps(...expected: string[]): Promise<void> {
    await this.until(() => this.stored(), expected);
  }

  async keepsNothing(): Promise<void> {
    await this.until(() => this.stored(), null);
  }

  /** What the page heard by the element's events. */
  async events(): Promise<string[]> {
    return this.page.evaluate('window.events');
  }

  complaints(expected?: RegExp): string[] {
    return this.#complaints.filter((text) => !expected?.test(text));
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  #listen(page: Page): void {
    page.on('pageerror', (error) => this.#complaints.push(`uncaught ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      // The browser's own account of the network is not the widget's.
      const isNetwork = /^Failed to load resource|^Access to fetch at/.test(text);
      if (message.type() === 'error' && !isNetwork) this.#complaints.push(`console ${text}`);
    });
  }
}
