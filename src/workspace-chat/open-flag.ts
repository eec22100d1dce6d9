/** Remembers for the tab that the visitor has opened the chat: its next pages, and those in the browser's cache, open it again. */
import type { ReactiveController } from 'lit';
import { tabFlag } from '../chat/storage/tab-flag.ts';
import type { WorkspaceChatProperties } from './properties.ts';

export class OpenFlag implements ReactiveController {
  readonly #element: WorkspaceChatProperties;
  /** What this page has read last. */
  #wasSet = false;

  constructor(element: WorkspaceChatProperties) {
    this.#element = element;
    element.addController(this);
  }

  read(): boolean {
    return (this.#wasSet = this.#flag.get());
  }

  write(isSet: boolean): void {
    this.#flag.set(isSet);
    this.read();
  }

  hostConnected(): void {
    addEventListener('pageshow', this.#onPageShow);
  }

  hostDisconnected(): void {
    removeEventListener('pageshow', this.#onPageShow);
  }

  get #flag() {
    return tabFlag(`workspace-chat-open ${this.#element.agentId}`);
  }

  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    // A chat that the page itself has opened stays open.
    if (persisted && this.#wasSet !== this.read()) this.#element.open = this.#wasSet;
  };
}
