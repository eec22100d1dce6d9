/** The elements of the page that open the chat: see `launcher-selector`. */

import type { WorkspaceChatProperties } from './properties.ts';

export class Openers {
  readonly #element: WorkspaceChatProperties;
  readonly #onIntent: () => void;
  readonly #onOpen: (opener: EventTarget) => void;
  #following = new AbortController();
  /** The selector that was reported last. */
  #reported = '';

  /** @param onIntent Called when the pointer or the focus comes to such an element: a click is likely. */
  constructor(element: WorkspaceChatProperties, onIntent: () => void, onOpen: (opener: EventTarget) => void) {
    this.#element = element;
    this.#onIntent = onIntent;
    this.#onOpen = onOpen;
  }

  /** Follows the elements of the current selector. A page without a selector has no listeners. */
  follow(): void {
    this.stop();
    const { launcherSelector } = this.#element;
    if (!launcherSelector) return;
    try {
      this.#element.matches(launcherSelector);
    } catch {
      if (launcherSelector !== this.#reported)
        console.error(`workspace-chat: launcher-selector=“${launcherSelector}” is not a CSS selector.`);
      this.#reported = launcherSelector;
      return;
    }
    this.#following = new AbortController();
    const { signal } = this.#following;
    const listen = (type: string, handle: (opener: EventTarget) => void) => {
      const onEvent = (event: Event) => {
        const opener = this.#find(event);
        if (opener) handle(opener);
      };
      document.addEventListener(type, onEvent, { signal, passive: true });
    };
    listen('pointerover', this.#onIntent);
    listen('focusin', this.#onIntent);
    listen('click', this.#onOpen);
  }

  stop(): void {
    this.#following.abort();
  }

  #find(event: Event): EventTarget | undefined {
    const { launcherSelector, open } = this.#element;
    if (!launcherSelector || open) return undefined;
    return event.composedPath().find((node) => node instanceof Element && node.matches(launcherSelector));
  }
}
