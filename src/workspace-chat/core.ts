/** The core stage: one conversation, with the browser's storage, tabs and network, and the code it loads on demand. */
import { ApiClient } from '../api/client.ts';
import { systemClock as clock } from '../api/clock.ts';
import { toHex } from '../api/encoding.ts';
import type { Configuration } from '../chat/configuration.ts';
import { browserConnectivity } from '../chat/connectivity.ts';
import { Conversation } from '../chat/conversation.ts';
import type { Contact } from '../chat/identity.ts';
import { isBusy, type ConversationState } from '../chat/state/state.ts';
import { browserErasures } from '../chat/storage/erasures.ts';
import { IdbStorage } from '../chat/storage/idb-storage.ts';
import { formerRecordKey, recordKey } from '../chat/storage/peek.ts';
import { GuardedStorage, type ConversationStorage } from '../chat/storage/storage.ts';
import { browserDrafts, noDrafts } from '../chat/storage/tab-drafts.ts';
import { BrowserTabs } from '../chat/tabs.ts';
import type { ClientTools } from '../chat/tools/client-tools.ts';
import type { ToolRegistry } from '../chat/tools/tool-registry.ts';
import type { Language } from '../locale/language.ts';
import { WorkspaceChatSendEvent } from './core-events.ts';
import { toDomEvents } from './state-events.ts';

/** The element, or another owner of a conversation, as the core sees it. */
export interface CoreHost {
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

/** Logs that an optional chunk is missing. The chat works without it. */
export const ignoreMissingChunk = (error: unknown): null => {
  console.error('workspace-chat: a file is missing.', error);
  return null;
};

const loadTools = (tools: ToolRegistry): Promise<ClientTools | null> =>
  import('../chat/tools/client-tools.ts').then(({ ClientTools }) => new ClientTools(tools), ignoreMissingChunk);

/** Loads the code that recovers a turn. Resolves with null when it cannot be loaded: the browser logs the failed request. */
export const loadRecovery = () => import('../chat/recovery.ts').catch(() => null);

/** Opens the storage. Records of an earlier visit are erased from the browser even if nothing is stored now. */
const openStorage = (
  host: CoreHost,
  onUnavailable: (error: unknown) => void,
  onAvailable: () => void,
): GuardedStorage => {
  const custom = host.conversationStorage?.();
  const durable = custom ?? new IdbStorage();
  const isUsed = custom || host.storage !== 'memory';
  return new GuardedStorage(isUsed ? durable : null, clock, onUnavailable, durable, onAvailable);
};

export class Core {
  readonly conversation: Conversation;
  /** Settles when a stored conversation is restored, or there is none. */
  readonly restored: Promise<void>;
  readonly #host: CoreHost;
  readonly #disposed = new AbortController();

  constructor(configuration: Configuration, host: CoreHost) {
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
      drafts: host.storage === 'memory' ? noDrafts : browserDrafts,
      openTabs: (onNews) => new BrowserTabs(formerKey, clock, onNews),
      connectivity: browserConnectivity,
      clock,
      createId,
      random,
      locale,
      loadRecovery,
      streaming: () => host.streaming,
      confirmSend: (text) => host.dispatch(new WorkspaceChatSendEvent(text)),
    });
    this.#host = host;
    this.conversation = conversation;
    this.updateVisibility();
    conversation.setContact(host.contact);
    conversation.store.subscribe((state, event, previous) => {
      host.onStateChanged(state, toDomEvents(event, state, previous));
    });
    this.offerTools();
    this.restored = conversation.start();
    if (globalThis.document) this.#followPage();
  }

  /** Whether a message is being sent or a reply is streaming. */
  get isBusy(): boolean {
    return isBusy(this.conversation.store.state);
  }

  /** Offers the registered tools to the agent. The code that runs them is loaded with the first tool. */
  offerTools(): void {
    const { conversation } = this;
    const { tools } = this.#host;
    if (tools.tools.size + tools.pageTools.length > 0)
      conversation.tools = conversation.tools.then((loaded) => loaded ?? loadTools(tools));
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

  #followPage(): void {
    const { conversation } = this;
    const { signal } = this.#disposed;
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
    addEventListener('pageshow', () => void conversation.resume(), { signal });
  }
}
