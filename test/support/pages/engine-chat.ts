/** The widget on a page of an end-to-end test, in any browser that has a driver. */
import type { Tab } from '../browsers/driver.ts';
import { poll } from '../poll.ts';

export class EngineChat {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** Returns the texts of the widget's elements that match a selector. */
  texts(selector: string): Promise<string[]> {
    return this.tab.evaluate<string[]>(
      `[...(document.querySelector('workspace-chat')?.shadowRoot?.querySelectorAll(${JSON.stringify(selector)}) ?? [])].map(({ textContent }) => textContent.trim())`,
    );
  }

  /** Sends a message with the keyboard, and returns the complete reply. */
  async ask(question: string): Promise<string> {
    const before = (await this.texts('.message.agent .text')).length;
    await this.tab.type('textarea', `${question}\n`);
    // Only a complete message has a line with the time.
    await poll(async () => (await this.texts('.message.agent:has(.text) .meta')).length).toBeGreaterThan(before);
    await this.waitUntilIdle();
    return (await this.texts('.message.agent .text')).at(-1)!;
  }

  async waitUntilIdle(): Promise<void> {
    await poll(() => this.tab.evaluate(`document.querySelector('workspace-chat').busy`)).toBe(false);
  }

  /** Returns the focused element: its name or its tag, within the widget or on the page. */
  focused(): Promise<string> {
    return this.tab.evaluate<string>(`(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('aria-label') ?? element?.localName ?? 'nothing';
    })()`);
  }
}
