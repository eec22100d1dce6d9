/** A demo with a service in memory, and the widget on its pages as a visitor uses it. */
import { expect, type Page } from '@playwright/test';
import type { WorkspaceChatElement } from '../../../src/element.ts';
import { createDemo, type Demo, type DemoOptions } from '../../../demo/site.ts';

export interface TestDemo extends Demo {
  /** Moves the service's clock forward. */
  moveClock(milliseconds: number): void;
  /** Sets the milliseconds between the chunks of the next replies. */
  setChunkDelay(milliseconds: number): void;
}

/** Starts the demo on free ports. */
export const startDemo = async (options: DemoOptions = {}): Promise<TestDemo> => {
  let offset = 0;
  let chunkDelay = 15;
  const demo = await createDemo({
    anyPort: true,
    chunkDelay: () => chunkDelay,
    now: () => Date.now() + offset,
    ...options,
  });
  const moveClock = (milliseconds: number): void => void (offset += milliseconds);
  const setChunkDelay = (milliseconds: number): void => void (chunkDelay = milliseconds);
  return { ...demo, moveClock, setChunkDelay };
};

/** Page object of the widget. */
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
    // A form has a button with the same name.
    return this.page.locator('workspace-chat-composer').getByRole('button', { name: /^(Send|إرسال)$/ });
  }

  /** The texts of the assistant's replies. The greeting and the typing indicator have no such element. */
  get replies() {
    return this.page.locator('workspace-chat .message.agent .text');
  }

  /** The assistant's messages that are rendered completely: only those have a line with the time. */
  get completeReplies() {
    return this.page.locator('workspace-chat .message.agent:has(.text):has(.meta)');
  }

  get visitorMessages() {
    return this.page.locator('workspace-chat .message.visitor .bubble');
  }

  async open(): Promise<void> {
    await this.page.locator('workspace-chat .launcher').click();
    await expect(this.input).toBeVisible();
  }

  /** Sends a message and returns the complete reply. */
  async ask(question: string): Promise<string> {
    const before = await this.replies.count();
    await this.input.fill(question);
    // On touch screens, Enter makes a line.
    await this.sendButton.click();
    await expect(this.replies.nth(before)).toBeVisible();
    await this.waitUntilIdle();
    await expect(this.completeReplies).toHaveCount(before + 1);
    return this.replies.nth(before).innerText();
  }

  /** Waits until no turn is in progress. */
  async waitUntilIdle(): Promise<void> {
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
