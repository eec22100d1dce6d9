/** One widget in a new browser profile, used as a visitor does. */
import type { Browser, Page } from 'playwright';
import type { Peer } from './peers.ts';
import { fastest, type BenchServer, type Fault } from './server.ts';

/** How long a visitor waits for anything, in milliseconds. */
const timeout = 10_000;

/** Runs in the page. Returns the visible texts, with those in shadow trees. */
const visibleTexts = (): string[] => {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (node instanceof Text) {
      const parent = node.parentElement;
      const text = node.data.trim();
      if (text && parent && !/^(SCRIPT|STYLE|TITLE)$/.test(parent.tagName) && parent.checkVisibility())
        found.push(text);
    }
    if (node instanceof Element && node.shadowRoot) visit(node.shadowRoot);
    for (const child of node.childNodes) visit(child);
  };
  visit(document.body);
  return found;
};

/** Runs in the page. Returns the center of the first `text` that is shown, in pixels from the left. */
const centerOf = (text: string): number | null => {
  const visit = (node: Node): number | null => {
    if (node instanceof Text && node.data.includes(text) && node.parentElement?.checkVisibility()) {
      const range = document.createRange();
      const start = node.data.indexOf(text);
      range.setStart(node, start);
      range.setEnd(node, start + text.length);
      const { left, width } = range.getBoundingClientRect();
      return left + width / 2;
    }
    const children = [...(node instanceof Element && node.shadowRoot ? [node.shadowRoot] : []), ...node.childNodes];
    for (const child of children) {
      const found = visit(child);
      if (found !== null) return found;
    }
    return null;
  };
  return visit(document.body);
};

/** Runs in the page before its scripts. */
const watchViolations = (): void => {
  let count = 0;
  document.addEventListener('securitypolicyviolation', () => count++);
  Object.assign(window, { countViolations: () => count });
};

export class Trial {
  readonly #page: Page;
  readonly #peer: Peer;
  /** The server of the page. Its settings are those of the next page. */
  readonly server: BenchServer;

  private constructor(page: Page, server: BenchServer, peer: Peer) {
    this.#page = page;
    this.server = server;
    this.#peer = peer;
  }

  static async start(browser: Browser, server: BenchServer, peer: Peer): Promise<Trial> {
    Object.assign(server, { fault: null, policy: null, language: 'en', earlier: [] });
    const context = await browser.newContext({ viewport: { width: 420, height: 800 } });
    context.setDefaultTimeout(timeout);
    // The compiler may wrap named functions in a helper, which must exist in the page.
    await context.addInitScript('globalThis.__name ??= (value) => value');
    await context.addInitScript(watchViolations);
    return new Trial(await context.newPage(), server, peer);
  }

  async secondTab(): Promise<Trial> {
    return new Trial(await this.#page.context().newPage(), this.server, this.#peer);
  }

  /** Loads the page, and opens the chat. */
  async open(): Promise<void> {
    // The server compresses each file for its first request.
    await this.#page.goto(`${this.server.url}/${encodeURIComponent(this.#peer.name)}`, { timeout: 60_000 });
    // The page clicks the launcher itself.
    await this.#field().waitFor();
  }

  /** Sends a message. Returns whether its reply is shown. */
  async ask(text: string, reply = `The reply to “${text}”.`): Promise<boolean> {
    this.server.next = { length: 0, ending: reply, ...fastest };
    await this.#send(text);
    const isShown = await this.shows(reply);
    // The widget that asks its server for the earlier messages gets them.
    const message = (kind: string, content: string) => ({ id: ['messages', kind], kwargs: { content } });
    this.server.earlier = [message('HumanMessage', text), message('AIMessage', reply)];
    return isShown;
  }

  /**
   * Sends a message that meets a fault when the page has loaded everything. Returns whether the message and the part of the reply stay, the chat shows another text
   * that tells the visitor, and the next message gets its reply.
   */
  async survives(cause: Fault | 'offline', partial?: string): Promise<boolean> {
    const message = 'The message that meets a fault';
    await this.#page.waitForLoadState('networkidle');
    const before = new Set(await this.#texts());
    const context = this.#page.context();
    if (cause === 'offline') await context.setOffline(true);
    else this.server.fault = cause;
    await this.#send(message);
    const isTold = await this.#until(async () => {
      const added = (await this.#texts()).filter((text) => !before.has(text) && !text.includes(message));
      // A time is not an explanation.
      return added.some((text) => text !== partial && text.replaceAll(/[^a-z]/gi, '').length > 3);
    });
    await context.setOffline(false);
    this.server.fault = null;
    const areKept = (await this.shows(message)) && (!partial || (await this.shows(partial)));
    const hasReplied = await this.ask('Does it still work?').catch(() => false);
    console.log(`  ${this.#peer.name}: told ${isTold}, kept ${areKept}, next ${hasReplied}`);
    return isTold && areKept && hasReplied;
  }

  /** Returns whether a text is visible, or becomes visible. */
  shows(text: string): Promise<boolean> {
    return this.#until(async () => (await this.#texts()).some((shown) => shown.includes(text)));
  }

  countViolations(): Promise<number> {
    return this.#page.evaluate<number>('countViolations()');
  }

  /** Returns whether the hint or the name of the field is Arabic. */
  async hasArabicField(): Promise<boolean> {
    const names = await this.#field().evaluate((field) =>
      ['placeholder', 'aria-label', 'aria-placeholder', 'deep-chat-placeholder-text']
        .map((name) => field.getAttribute(name) ?? '')
        .join(field.textContent ?? ''),
    );
    return /\p{Script=Arabic}/u.test(names);
  }

  /** Returns whether `first` is shown at the right of `last`. */
  async readsFromTheRight(first: string, last: string): Promise<boolean> {
    const [start, end] = [await this.#page.evaluate(centerOf, first), await this.#page.evaluate(centerOf, last)];
    return start !== null && end !== null && start > end;
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  async #send(text: string): Promise<void> {
    await this.#field().fill(text);
    await this.#page.keyboard.press('Enter');
  }

  #field() {
    return this.#page.locator(`${this.#peer.host ?? 'body'} ${this.#peer.field}`).first();
  }

  #texts(): Promise<string[]> {
    return this.#page.evaluate(visibleTexts);
  }

  async #until(check: () => Promise<boolean>): Promise<boolean> {
    for (const end = Date.now() + timeout; Date.now() < end; await this.#page.waitForTimeout(100))
      if (await check()) return true;
    return false;
  }
}
