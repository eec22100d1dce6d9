/** The page of a fault test in any browser that has a driver. */
import type { Driver, Tab } from '../browsers/driver.ts';
import type { HostileServer } from '../servers/hostile-server.ts';
import { serveSite } from '../servers/site.ts';
import { hashOf, keepDatabase, type PageOptions } from './fault-page.ts';
import { pageHtml } from './fault.ts';
import { PortablePage } from './portable-page.ts';

/** Keeps the errors of the page, since a driver cannot listen to its console. */
const keepErrors = `
  window.logged = [];
  addEventListener('error', ({ error, message }) => logged.push('uncaught ' + message + ' ' + error?.stack));
  addEventListener('unhandledrejection', ({ reason }) => logged.push('uncaught ' + reason + ' ' + reason?.stack));
  console.error = (...parts) => logged.push('console ' + parts.join(' '));
`;

/** What the tabs of one test share. */
interface Visit {
  driver: Driver;
  options: PageOptions;
  scripts: string[];
  tabs: Tab[];
}

export class EnginePage extends PortablePage {
  readonly #visit: Visit;
  readonly #tab: Tab;

  private constructor(visit: Visit, tab: Tab, url: string, server: HostileServer) {
    super(url, server);
    this.#visit = visit;
    this.#tab = tab;
  }

  /** Opens a page on an origin of its own, so that nothing is stored on it. */
  static async open(driver: Driver, options: PageOptions, server: HostileServer): Promise<EnginePage> {
    const scripts = [keepErrors, keepDatabase, `window.isBare = ${options.isBare ?? false};`, options.initScript ?? ''];
    const site = await serveSite(() => pageHtml(server.baseUrl, scripts.join('\n')));
    const visit: Visit = { driver, options, scripts, tabs: [] };
    const page = await EnginePage.#open(visit, site.url + hashOf(options), server);
    page.#closeSite = () => site.close();
    return page;
  }

  static async #open(visit: Visit, url: string, server: HostileServer): Promise<EnginePage> {
    const tab = await visit.driver.openTab();
    visit.tabs.push(tab);
    const page = new EnginePage(visit, tab, url, server);
    await page.goto(url);
    if (!visit.options.isBare) await page.waitUntilReady();
    return page;
  }

  #closeSite = async (): Promise<void> => {};

  override openTab(): Promise<EnginePage> {
    return EnginePage.#open(this.#visit, this.url, this.server);
  }

  override evaluate<Result, Argument>(
    script: string | ((argument: Argument) => Result | Promise<Result>),
    argument?: Argument,
  ): Promise<Result> {
    const expression = typeof script === 'string' ? script : `(${script.toString()})(${JSON.stringify(argument)})`;
    return this.#tab.evaluate(expression);
  }

  override async addInitScript(script: string): Promise<void> {
    this.#visit.scripts.push(script);
  }

  override goto(url: string): Promise<void> {
    return this.#tab.goto(url);
  }

  override async reload(): Promise<void> {
    await this.#tab.reload();
    await this.waitUntilReady();
  }

  override async fill(text: string): Promise<void> {
    await this.waitUntilReady();
    await this.evaluate(`document.querySelector('workspace-chat').shadowRoot.querySelector('textarea').select()`);
    await this.#tab.type('textarea', text);
  }

  override pressEnter(): Promise<void> {
    return this.#tab.type('textarea', '\n');
  }

  override click(name: string): Promise<void> {
    return this.#tab.click({ name });
  }

  override async consoleErrors(allowed?: RegExp): Promise<string[]> {
    const logged: string[] = await this.evaluate('window.logged');
    return logged.filter((text) => !allowed?.test(text));
  }

  override async close(): Promise<void> {
    for (const tab of this.#visit.tabs) await tab.close();
    await this.#closeSite();
  }
}
