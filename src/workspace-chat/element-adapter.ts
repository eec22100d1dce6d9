/** What the loading stages see of the public element. They never see the element's own class. */
import type { Mode } from '../controllers/chat-context.ts';
import { nativeFetch } from './native-fetch.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The arguments of `addEventListener` and `removeEventListener`. */
export type ListenerArguments = [
  type: string,
  listener: EventListenerOrEventListenerObject,
  options?: boolean | AddEventListenerOptions,
];

export class ElementAdapter {
  readonly element: WorkspaceChatProperties;
  readonly #feedbackListeners = new Set<unknown>();

  constructor(element: WorkspaceChatProperties) {
    this.element = element;
  }

  get fetch(): typeof fetch {
    return nativeFetch;
  }

  get open(): boolean {
    return this.element.open;
  }

  set open(open: boolean) {
    this.element.open = open;
  }

  get mode(): Mode {
    return this.element.mode;
  }

  get isFloating(): boolean {
    return this.mode !== 'inline' && this.mode !== 'fullscreen';
  }

  /** Whether the visitor sees the messages when the page is visible. */
  get isVisible(): boolean {
    return this.element.isConnected && (this.open || !this.isFloating);
  }

  get storage(): 'indexeddb' | 'memory' {
    return this.element.storage;
  }

  get streaming(): 'auto' | 'off' {
    return this.element.streaming;
  }

  /** Whether the page listens for feedback on the element. */
  get hasFeedbackListener(): boolean {
    return this.#feedbackListeners.size > 0;
  }

  /** The page adds or removes a listener. */
  onListener(isAdded: boolean, ...[type, listener, options]: ListenerArguments): void {
    if (type !== 'workspace-chat-feedback') return;
    this.#feedbackListeners[isAdded ? 'add' : 'delete'](listener);
    this.element.requestUpdate();
    const { signal } = Object(options) as AddEventListenerOptions;
    if (isAdded) signal?.addEventListener('abort', () => this.onListener(false, type, listener));
  }

  /** Fires an event. Returns false when the page has canceled it. */
  dispatch(event: Event): boolean {
    return this.element.dispatchEvent(event);
  }

  get launcher(): HTMLElement | null {
    return this.element.renderRoot.querySelector('.launcher-box');
  }
}
