/** A visitor in a real browser, on the demo site with its real service. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import type { WorkspaceChatElement } from '../../../src/element.ts';
import { createDemo, type Demo, type DemoOptions } from '../../../demo/site.ts';

/** The demo on ports of its own, with a service in memory whose clock a test can move. */
export const startDemo = async (
  options: DemoOptions = {},
): Promise<Demo & { moveClock: (milliseconds: number) => void }> => {
  let offset = 0;
  const demo = await createDemo({ anyPort: true, chunkDelay: 15, now: () => Date.now() + offset, ...options });
  const moveClock = (milliseconds: number) => {
    offset += milliseconds;
  };
  return { ...demo, moveClock };
};

/** What the page has complained of. */
const complaints = new WeakMap<BrowserContext, string[]>();

export const newVisitor = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
  const list: string[] = [];
  complaints.set(context, list);
  context.setDefaultTimeout(15_000);
  context.on('page', (page) => {
    page.on('pageerror', (error) => list.push(`uncaught ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') list.push(`console ${message.text()} ${message.location().url}`);
    });
  });
  return context;
};

/** Fails when any page of the visitor has thrown or logged an error; `expected` are taken out first. */
export const expectNoComplaints = (context: BrowserContext, ...expected: RegExp[]): void => {
  const list = complaints.get(context) ?? [];
  assert.deepEqual(
    list.filter((text) => !expected.some((pattern) => pattern.test(text))),
    [],
  );
};

/** The widget on a page, as a visitor finds it. */
export class Widget {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get launcher() {
    return this.page.getByRole('button', { name: /^(Open|Close) chat|^(فتح|إغلاق) المحادثة/ }).last();
  }

  get dialog() {
    return this.page.getByRole('dialog');
  }

  get input() {
    return this.page.getByRole('textbox', { name: /^(Message|الرسالة)$/ });
  }

  get sendButton() {
    return this.page.getByRole('button', { name: /^(Send|إرسال)$/ });
  }

  get answers() {
    return this.page.locator('workspace-chat .message.agent .text');
  }

  get visitorMessages() {
    return this.page.locator('workspace-chat .message.visitor .bubble');
  }

  async open(): Promise<void> {
    await this.page.locator('workspace-chat .launcher').click();
    await this.input.waitFor();
  }

  /** Asks, and waits for the whole answer. */
  async ask(question: string): Promise<string> {
    const before = await this.answers.count();
    await this.input.fill(question);
    await this.input.press('Enter');
    await this.answers.nth(before).waitFor();
    await this.settle();
    return this.answers.nth(before).innerText();
  }

  /** Waits until no turn is under way. */
  async settle(): Promise<void> {
    await this.page.waitForFunction(() => {
      const element = document.querySelector('workspace-chat');
      return element && !element.busy;
    });
  }

  state() {
    return this.page.locator('workspace-chat').evaluate((element: WorkspaceChatElement) => ({
      conversationId: element.conversationId,
      state: element.conversationState,
      unread: element.unreadCount,
    }));
  }
}
