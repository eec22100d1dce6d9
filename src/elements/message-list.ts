/**
 * The transcript's messages, in pages, of which the browser lays out none that is out of sight. An element goes where its
 * message goes, and is left alone as long as nothing about it has changed.
 */
import type { ChatMessage } from '../chat/state/state.ts';

/** Messages a page. */
const pageSize = 50;

export interface Entry {
  readonly key: string;
  /** Null for the answer that is coming in. */
  readonly message: ChatMessage | null;
}

interface Page {
  readonly element: Element;
  entries: readonly Entry[];
}

const isSame = (one: readonly Entry[], other: readonly Entry[]): boolean =>
  one.length === other.length &&
  one.every(({ key, message }, index) => key === other[index]!.key && message === other[index]!.message);

/** Makes `wanted` the children. From the end, since what moves is a message that is sent again, and moves there. */
const arrange = (parent: Element, wanted: readonly Element[]): void => {
  for (const gone of [...parent.children].filter((child) => !wanted.includes(child))) gone.remove();
  let next: Element | null = null;
  for (const element of wanted.toReversed()) {
    if (element.parentNode !== parent || element.nextElementSibling !== next) parent.insertBefore(element, next);
    next = element;
  }
};

export class MessageList {
  readonly #elements = new Map<string, HTMLElementTagNameMap['workspace-chat-message']>();
  /** By number: those that are shown. */
  #pages = new Map<number, Page>();

  /**
   * Shows the entries.
   * @param container Has no other children.
   * @param missing How many come before them and are not shown yet: pages are counted from the very first.
   */
  show(container: Element, entries: readonly Entry[], missing: number): void {
    const pages = new Map<number, Page>();
    for (let start = 0, end; start < entries.length; start = end) {
      const number = Math.floor((start + missing) / pageSize);
      end = (number + 1) * pageSize - missing;
      const page = this.#pages.get(number) ?? this.#createPage();
      const own = entries.slice(start, end);
      if (!isSame(page.entries, own))
        arrange(
          page.element,
          own.map((entry) => this.#elementOf(entry)),
        );
      page.entries = own;
      pages.set(number, page);
    }
    this.#pages = pages;
    arrange(
      container,
      Array.from(pages.values(), ({ element }) => element),
    );
    this.#forget(entries);
  }

  #createPage(): Page {
    const element = document.createElement('div');
    element.className = 'page';
    return { element, entries: [] };
  }

  #elementOf({ key, message }: Entry): Element {
    const element = this.#elements.get(key) ?? document.createElement('workspace-chat-message');
    element.message = message;
    this.#elements.set(key, element);
    return element;
  }

  #forget(entries: readonly Entry[]): void {
    const keys = new Set(entries.map(({ key }) => key));
    for (const key of this.#elements.keys()) if (!keys.has(key)) this.#elements.delete(key);
  }
}
