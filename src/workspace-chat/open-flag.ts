/** Remembers for the tab that the visitor has opened the chat: its next pages, and those in the browser's cache, open it again. */
import type { ReactiveController } from 'lit';
import { tabFlag } from '../chat/storage/tab-flag.ts';
import type { WorkspaceChatProperties } from './properties.ts';

export class OpenFlag implements ReactiveController {
  readonly #element: WorkspaceChatProperties;
  /** Whether it was set when the page was left. */
  #wasSet = false;

  constructor(element: WorkspaceChatProperties) {
    this.#element = element;
    element.addController(this);
  }

  get isSet(): boolean {
    return this.#flag.get();
  }

  set isSet(isSet: boolean) {
    this.#flag.set(isSet);
  }

  hostConnected(): void {
    addEventListener('pagehide', this.#onHide);
    addEventListener('pageshow', this.#onShow);
  }

  hostDisconnected(): void {
    removeEventListener('pagehide', this.#onHide);
    removeEventListener('pageshow', this.#onShow);
  }

  get #flag() {
    return tabFlag(`workspace-chat-open ${this.#element.agentId}`);
  }

  readonly #onHide = ({ persisted }: PageTransitionEvent): void => {
    this.#wasSet = persisted && this.isSet;
  };

  readonly #onShow = ({ persisted }: PageTransitionEvent): void => {
    // A chat that the page itself has opened stays open.
    if (persisted && this.isSet !== this.#wasSet) this.#element.open = this.isSet;
  };
}
