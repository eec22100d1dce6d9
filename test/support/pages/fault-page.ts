/** The page of a fault test in Chromium, with everything that Playwright can do. */
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { HostileServer } from '../servers/hostile-server.ts';
import { limit } from '../time-limits.ts';
import { PortablePage } from './portable-page.ts';

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

/** Keeps the browser's own database. */
export const keepDatabase = 'window.own = { factory: indexedDB, open: IDBFactory.prototype.open };';

/** The part of the page's URL that carries the attributes of its element. */
export const hashOf = ({ attributes = {} }: PageOptions) => `#${encodeURIComponent(JSON.stringify(attributes))}`;

export class FaultPage extends PortablePage {
  readonly context: BrowserContext;
  readonly #options: PageOptions;
  readonly #consoleErrors: string[] = [];
  page: Page;

  constructor(context: BrowserContext, page: Page, url: string, options: PageOptions, server: HostileServer) {
    super(url, server);
    this.context = context;
    this.page = page;
    this.#options = options;
    context.on('page', (opened) => this.#listen(opened));
    this.#listen(page);
  }

  static async open(browser: Browser, url: string, options: PageOptions, server: HostileServer): Promise<FaultPage> {
    const context = await browser.newContext({ viewport: { width: 800, height: 700 }, locale: 'en-GB' });
    context.setDefaultTimeout(limit(25_000));
    await context.addInitScript(countChunks);
    await context.addInitScript(keepDatabase);
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

  override async openTab(): Promise<FaultPage> {
    const tab = new FaultPage(this.context, await this.context.newPage(), this.url, this.#options, this.server);
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

  override async waitUntilReady(): Promise<void> {
    await expect(this.input).toBeVisible();
  }

  override evaluate<Result, Argument>(
    script: string | ((argument: Argument) => Result | Promise<Result>),
    argument?: Argument,
  ): Promise<Result> {
    return this.page.evaluate(script as (argument: unknown) => Result, argument);
  }

  override addInitScript(script: string): Promise<void> {
    return this.context.addInitScript(script).then(() => {});
  }

  override async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  override async fill(text: string): Promise<void> {
    await this.input.fill(text);
  }

  override async pressEnter(): Promise<void> {
    await this.input.press('Enter');
  }

  override async click(name: string): Promise<void> {
    await this.button(name).click();
  }

  override async reload(): Promise<void> {
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

  override consoleErrors(allowed?: RegExp): string[] {
    return this.#consoleErrors.filter((text) => !allowed?.test(text));
  }

  override async close(): Promise<void> {
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
