/** Shows the transcript's messages in pages, so that the browser can skip the layout of pages out of view. */
import type { ChatMessage } from '../chat/state/state.ts';
import type { ChatContext, ViewState } from '../controllers/chat-context.ts';

const messagesPerPage = 50;

export interface Entry {
  readonly key: string;
  readonly chat: ChatContext;
  readonly view: ViewState;
  /** Null for the reply that is streaming. */
  readonly message: ChatMessage | null;
  /** The neighbours in the transcript. Undefined at its ends. */
  readonly previous?: ChatMessage | null | undefined;
  readonly next?: ChatMessage | null | undefined;
  /** Whether it is being sent, or waits for that. */
  readonly isPending: boolean;
}

interface Page {
  readonly element: HTMLElement;
  readonly entries: readonly Entry[];
}

const createPage = (): HTMLElement => {
  const element = document.createElement('div');
  element.className = 'page';
  return element;
};

/** Numbers the pages from the first message of the transcript, so that a page keeps its number while older ones appear. */
const toPages = (entries: readonly Entry[], hiddenCount: number): Map<number, readonly Entry[]> => {
  const pages = new Map<number, readonly Entry[]>();
  for (let start = 0, end; start < entries.length; start = end) {
    const number = Math.floor((start + hiddenCount) / messagesPerPage);
    end = (number + 1) * messagesPerPage - hiddenCount;
    pages.set(number, entries.slice(start, end));
  }
  return pages;
};

/** Makes `wanted` the children of an element. A child that is alone in changing its place is the only one that is moved. */
const arrange = (parent: Element, wanted: readonly Element[]): void => {
  const kept = new Set(wanted);
  for (const child of [...parent.children].filter((element) => !kept.has(element))) child.remove();
  let next = parent.firstElementChild;
  for (const element of wanted) {
    // What was in between has moved towards the end, and is placed there.
    if (next?.nextElementSibling === element) {
      next.remove();
      next = element;
    }
    if (next === element) next = element.nextElementSibling;
    else parent.insertBefore(element, next);
  }
};

/** Not a template: it would take more memory than the messages, and examine all of them at each change of one. */
export class MessageList {
  #pages = new Map<number, Page>();
  #messages = new Map<string, HTMLElementTagNameMap['workspace-chat-message']>();

  /**
   * Shows the entries in the container, which the list alone changes. Entries that are the same objects as before are not examined.
   * @param hiddenCount The number of older messages that are not shown yet.
   */
  update(container: Element, entries: readonly Entry[], hiddenCount: number): void {
    const [pages, messages] = [this.#pages, this.#messages];
    this.#messages = new Map(
      entries.map(({ key }) => [key, messages.get(key) ?? document.createElement('workspace-chat-message')]),
    );
    this.#pages = new Map(
      [...toPages(entries, hiddenCount)].map(([number, shown]) => [number, this.#toPage(shown, pages.get(number))]),
    );
    arrange(
      container,
      [...this.#pages.values()].map(({ element }) => element),
    );
  }

  #toPage(entries: readonly Entry[], last?: Page): Page {
    if (last?.entries.length === entries.length && entries.every((entry, index) => entry === last.entries[index]))
      return last;
    const element = last?.element ?? createPage();
    arrange(
      element,
      entries.map((entry) => Object.assign(this.#messages.get(entry.key)!, { entry })),
    );
    return { element, entries };
  }
}
