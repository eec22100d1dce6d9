/** The page of a fault test: the visitor's actions, and assertions on what is rendered, stored and sent. */
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { StoredRecord } from '../../../src/chat/storage/record.ts';
import type { HostileServer } from '../servers/hostile-server.ts';
import { poll } from '../poll.ts';
import { transcriptOf } from './transcript-of.ts';

export interface PageOptions {
  /** Attributes of the element, in addition to the required ones. */
  attributes?: Record<string, string>;
  /** A script that runs in the page before any other. */
  initScript?: string;
  /** The test controls the page's clock. */
  hasFakeClock?: boolean;
  /** The page does not create the element by itself. */
  isBare?: boolean;
}

/** Counts the chunks of response bodies that the page has read. */
const countChunks = `
  window.chunks = 0;
  const { read } = ReadableStreamDefaultReader.prototype;
  ReadableStreamDefaultReader.prototype.read = async function () {
    const result = await read.call(this);
    queueMicrotask(() => window.chunks++);
    return result;
  };
`;

const hashOf = ({ attributes = {} }: PageOptions) => `#${encodeURIComponent(JSON.stringify(attributes))}`;

export class FaultPage {
  readonly context: BrowserContext;
  readonly url: string;
  readonly #options: PageOptions;
  readonly #consoleErrors: string[] = [];
  readonly #server: HostileServer;
  page: Page;

  constructor(context: BrowserContext, page: Page, url: string, options: PageOptions, server: HostileServer) {
    this.context = context;
    this.page = page;
    this.url = url;
    this.#options = options;
    this.#server = server;
    context.on('page', (opened) => this.#listen(opened));
    this.#listen(page);
  }

  static async open(browser: Browser, url: string, options: PageOptions, server: HostileServer): Promise<FaultPage> {
    const context = await browser.newContext({ viewport: { width: 800, height: 700 }, locale: 'en-GB' });
    context.setDefaultTimeout(8_000);
    await context.addInitScript(countChunks);
    await context.addInitScript('window.own = { factory: indexedDB, open: IDBFactory.prototype.open }');
    if (options.isBare) await context.addInitScript('window.isBare = true');
    if (options.initScript) await context.addInitScript(options.initScript);
    const visitor = new FaultPage(context, await context.newPage(), url + hashOf(options), options, server);
    await visitor.#load();
    return visitor;
  }

  /** Cuts the connection of a page that has been open for a moment, so that everything is prefetched. */
  async goOffline(): Promise<void> {
    await this.page.waitForFunction(() => customElements.get('workspace-chat-banner'));
    await this.context.setOffline(true);
  }

  /** Opens another tab of the same browser. */
  async openTab(): Promise<FaultPage> {
    const tab = new FaultPage(this.context, await this.context.newPage(), this.url, this.#options, this.#server);
    await tab.#load();
    return tab;
  }

  get element() {
    return this.page.locator('workspace-chat').first();
  }

  get input() {
    return this.element.locator('textarea');
  }

  get banner() {
    return this.element.locator('.banner');
  }

  button(name: string) {
    return this.element.getByRole('button', { name, exact: true });
  }

  async waitUntilReady(): Promise<void> {
    await expect(this.input).toBeVisible();
  }

  async send(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  /** Moves the page's fake clock forward. */
  async fastForward(milliseconds: number): Promise<void> {
    await this.page.clock.fastForward(milliseconds);
  }

  /** Lets the server write, and waits until the page has read that. */
  async waitUntilRead(write: () => unknown): Promise<void> {
    const before = await this.page.evaluate('window.chunks');
    write();
    await this.page.waitForFunction(`window.chunks > ${before as number}`);
  }

  /** Waits until no turn is in progress. */
  async waitUntilIdle(): Promise<void> {
    await this.page.waitForFunction(() => {
      const element = document.querySelector('workspace-chat');
      return element !== null && !element.busy;
    });
  }

  /** Returns the rendered transcript, one line for each entry: the author, the text, the state and the buttons. */
  async transcript(): Promise<string[]> {
    return this.element.evaluate(transcriptOf);
  }

  /** Waits until the transcript consists of exactly these lines. */
  async expectTranscript(...expected: string[]): Promise<void> {
    await poll(() => this.transcript(), 'the transcript').toEqual(expected);
  }

  /** Waits until the banner above the composer shows `expected`, or is removed for null. */
  async expectBanner(expected: string | null): Promise<void> {
    if (expected === null) await expect(this.banner).toHaveCount(0);
    else await expect(this.banner).toHaveText(expected);
  }

  /** Waits until exactly `count` chat calls have arrived. A later request of the page proves that no other call is in flight. */
  async expectChatCalls(count: number): Promise<void> {
    const { chatCalls } = this.#server;
    await poll(() => chatCalls.length, 'the chat calls').toBe(count);
    await this.waitForProbe();
    expect(chatCalls, 'the chat calls after a later request').toHaveLength(count);
  }

  /** Sends a request from the page, and waits until it has a response, or has failed because the page is offline. */
  async waitForProbe(): Promise<void> {
    await this.page.evaluate((url) => fetch(url).then(Boolean, () => false), this.#server.probeUrl);
  }

  /** Returns the stored record, or null when there is none. */
  async record(): Promise<StoredRecord | null> {
    return this.page.evaluate(
      () =>
        new Promise<StoredRecord | null>((resolve, reject) => {
          // The browser's own implementation: a fault may have replaced it.
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

  /** Returns the stored messages, one line each, and a last line that says whether the credentials are stored. */
  async stored(): Promise<string[] | null> {
    const record = await this.record().catch(() => null);
    if (!record) return null;
    if ('erasedAt' in record && !('startedAt' in record)) return ['erased'];
    return [
      ...record.messages.map((message) => {
        if (message.role === 'user') return `visitor ${message.delivery}: ${message.text}`;
        return message.role === 'notice'
          ? `notice ${message.code}`
          : `${message.actor} ${message.ending}: ${message.text}`;
      }),
      record.conversationToken ? `credentials ${record.conversationId}` : 'no credentials',
    ];
  }

  async expectStored(...expected: string[]): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toEqual(expected);
  }

  async expectNothingStored(): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toBeNull();
  }

  /** Waits until the record is erased, so that only the mark of the erasure is left. */
  async expectErased(): Promise<void> {
    await poll(() => this.stored(), 'the stored record').toEqual(['erased']);
  }

  /** Returns the events that the element has dispatched. */
  async events(): Promise<string[]> {
    return this.page.evaluate('window.events');
  }

  /** Returns the console errors and uncaught exceptions that do not match `allowed`. */
  consoleErrors(allowed?: RegExp): string[] {
    return this.#consoleErrors.filter((text) => !allowed?.test(text));
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  async #load(): Promise<void> {
    if (this.#options.hasFakeClock) await this.page.clock.install();
    await this.page.goto(this.url);
    if (!this.#options.isBare) await this.waitUntilReady();
  }

  #listen(page: Page): void {
    page.on('pageerror', (error) => this.#consoleErrors.push(`uncaught ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      // The browser logs every failed request by itself.
      const isNetwork = /^Failed to load resource|^Access to fetch at/.test(text);
      if (message.type() === 'error' && !isNetwork) this.#consoleErrors.push(`console ${text}`);
    });
  }
}
