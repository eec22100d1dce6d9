/** A conversation with the browser's storage, tabs and network. */
import { ApiClient } from '../api/client.ts';
import { systemClock as clock } from '../api/system-clock.ts';
import { toHex } from '../api/encoding.ts';
import type { Configuration } from '../chat/configuration.ts';
import { browserConnectivity } from '../chat/connectivity.ts';
import { Conversation } from '../chat/conversation.ts';
import type { Contact } from '../chat/identity.ts';
import { isBusy, type ConversationState } from '../chat/state/state.ts';
import { IdbStorage } from '../chat/storage/idb-storage.ts';
import { browserErasures, formerRecordKey, recordKey } from '../chat/storage/peek.ts';
import { GuardedStorage, type ConversationStorage } from '../chat/storage/storage.ts';
import { noDrafts, openBrowserDrafts } from '../chat/storage/tab-drafts.ts';
import { BrowserTabs } from '../chat/tabs.ts';
import { ClientTools } from '../chat/tools/client-tools.ts';
import type { ToolRegistry } from '../chat/tools/tool-registry.ts';
import type { Language } from '../locale/language.ts';
import { WorkspaceChatSendEvent } from './conversation-events.ts';
import { toDomEvents } from './state-events.ts';

/** The owner of a conversation: the element, or a client without views. */
export interface ConversationHost {
  readonly storage?: 'indexeddb' | 'memory' | undefined;
  readonly streaming?: 'auto' | 'off' | undefined;
  /** Returns a storage that replaces the browser's, or null for the browser's. */
  readonly conversationStorage?: () => ConversationStorage | null;
  readonly contact?: Contact;
  readonly tools: ToolRegistry;
  /** Whether the visitor sees the messages when the page is visible. */
  readonly isVisible: boolean;
  readonly fetch: typeof fetch;
  /** Returns the language of the replies. */
  readonly language: () => Language;
  /** Fires an event for the page. Returns false when the page has canceled it. */
  dispatch(event: Event): boolean;
  /** The state has changed. The page is notified by the events. */
  onStateChanged(state: ConversationState, domEvents: readonly Event[]): void;
}

const { random } = Math;

/** Returns an id that is unique across tabs. `crypto.randomUUID` is missing on pages without TLS. */
const createId = (): string => toHex(crypto.getRandomValues(new Uint8Array(12)));

/** Opens the storage. Records of an earlier visit are erased from the browser even if nothing is stored now. */
const openStorage = (
  host: ConversationHost,
  onUnavailable: (error: unknown) => void,
  onAvailable: () => void,
): GuardedStorage => {
  const custom = host.conversationStorage?.();
  const durable = custom ?? new IdbStorage();
  const isUsed = custom || host.storage !== 'memory';
  return new GuardedStorage(isUsed ? durable : null, clock, onUnavailable, durable, onAvailable);
};

export class BrowserConversation {
  readonly conversation: Conversation;
  readonly #host: ConversationHost;
  readonly #disposed = new AbortController();
  /** Aborts when the conversation is disposed of, which may be before it has started. */
  protected readonly disposal = this.#disposed.signal;
  #started: Promise<void> | null = null;

  /** Reads and stores nothing before `start`. */
  constructor(configuration: Configuration, host: ConversationHost) {
    const formerKey = formerRecordKey(configuration);
    const { fetch, language: locale } = host;
    const conversation: Conversation = new Conversation({
      key: recordKey(configuration),
      formerKey,
      client: new ApiClient({ ...configuration, fetch, clock, locale }),
      storage: openStorage(
        host,
        (error) => {
          console.warn('workspace-chat: the storage failed.', error);
          conversation.store.dispatch({ type: 'storage-failed' });
        },
        () => conversation.store.dispatch({ type: 'storage-recovered' }),
      ),
      erasures: browserErasures,
      drafts: host.storage === 'memory' ? noDrafts : openBrowserDrafts(recordKey(configuration)),
      openTabs: (onNews) => new BrowserTabs(formerKey, clock, onNews),
      connectivity: browserConnectivity,
      clock,
      createId,
      random,
      locale,
      tools: new ClientTools(host.tools),
      streaming: () => host.streaming,
      confirmSend: (text) => host.dispatch(new WorkspaceChatSendEvent(text)),
    });
    this.#host = host;
    this.conversation = conversation;
    conversation.store.subscribe((state, event, previous) => {
      host.onStateChanged(state, toDomEvents(event, state, previous));
    });
  }

  /** Whether `start` was called. */
  get hasStarted(): boolean {
    return this.#started !== null;
  }

  /** Whether a message is being sent or a reply is streaming. */
  get isBusy(): boolean {
    return isBusy(this.conversation.store.state);
  }

  /** Restores the stored conversation, and follows the page and the other tabs. Settles when there is nothing left to restore. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  /** Applies whether the visitor sees the messages. */
  updateVisibility(): void {
    const { conversation } = this;
    conversation.isVisible = this.#host.isVisible && !globalThis.document?.hidden;
    if (conversation.isVisible) conversation.store.dispatch({ type: 'read' });
  }

  dispose(): void {
    this.#disposed.abort();
    this.conversation.dispose();
  }

  #start(): Promise<void> {
    this.updateVisibility();
    this.conversation.setContact(this.#host.contact);
    if (globalThis.document) this.#followPage();
    return this.conversation.start();
  }

  #followPage(): void {
    const { conversation, disposal: signal } = this;
    document.addEventListener(
      'visibilitychange',
      () => {
        this.updateVisibility();
        if (document.hidden) conversation.saveDrafts();
      },
      { signal },
    );
    // The page may return from the back/forward cache.
    addEventListener('pagehide', () => conversation.suspend(), { signal });
    addEventListener('pageshow', ({ persisted }) => void conversation.resume(persisted), { signal });
  }
}
