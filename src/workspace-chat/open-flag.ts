/** Remembers for the tab that the visitor has opened the chat: its next pages, and those in the browser's cache, open it again. */
import { tabFlag } from '../chat/storage/tab-flag.ts';
import { followReturns } from '../controllers/returned-page.ts';
import type { WorkspaceChatProperties } from './properties.ts';

export class OpenFlag {
  readonly #element: WorkspaceChatProperties;
  /** What this page has read last. */
  #wasSet = false;

  constructor(element: WorkspaceChatProperties) {
    this.#element = element;
    followReturns(element, () => {
      // A chat that the page itself has opened stays open.
      if (this.#wasSet !== this.read()) element.open = this.#wasSet;
    });
  }

  read(): boolean {
    return (this.#wasSet = this.#flag.get());
  }

  write(isSet: boolean): void {
    this.#flag.set(isSet);
    this.read();
  }

  get #flag() {
    return tabFlag(`workspace-chat-open ${this.#element.agentId}`);
  }
}
