/** What the loading stages see of the public element. They never see the element's own class. */
import { resolveUrl } from '../chat/configuration.ts';
import type { Mode } from '../controllers/chat-context.ts';
import { nativeFetch } from './native-fetch.ts';
import type { WorkspaceChatProperties } from './properties.ts';

export class ElementAdapter {
  readonly element: WorkspaceChatProperties;

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

  /** Whether the visitor can see the messages. */
  get isVisible(): boolean {
    return this.element.isConnected && (this.open || !this.isFloating) && !document.hidden;
  }

  get storage(): 'indexeddb' | 'memory' {
    return this.element.storage;
  }

  get streaming(): 'auto' | 'off' {
    return this.element.streaming;
  }

  /** The absolute URL of the relay of team replies, or null. */
  get relayUrl(): string | null {
    const { repliesUrl } = this.element;
    return repliesUrl ? resolveUrl(repliesUrl) : null;
  }

  /** Fires an event. Returns false when the page has canceled it. */
  dispatch(event: Event): boolean {
    return this.element.dispatchEvent(event);
  }

  get launcher(): HTMLElement | null {
    return this.element.renderRoot.querySelector('.launcher-box');
  }
}
