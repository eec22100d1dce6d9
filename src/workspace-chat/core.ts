/** The core stage: one conversation in a browser, given what the page has said before it was there. */
import { announce } from './state-events.ts';
import { ApiClient } from '../api/client.ts';
import { systemClock } from '../api/clock.ts';
import { browserConnectivity } from '../chat/connectivity.ts';
import { Conversation } from '../chat/conversation.ts';
import type { Contact } from '../chat/identity.ts';
import { IdbStorage } from '../chat/storage/idb-storage.ts';
import { recordKey } from '../chat/storage/peek.ts';
import type { ConversationState, Problem } from '../chat/state/state.ts';
import { GuardedStorage, type ConversationStorage } from '../chat/storage/storage.ts';
import { BrowserTabs } from '../chat/tabs.ts';
import type { ClientTool } from '../chat/tools/client-tools.ts';
import type { Configuration } from '../chat/configuration.ts';
import { keepFormDrafts } from '../chat/storage/form-drafts.ts';

/** The element, as its conversation sees it. */
export interface CoreHost {
  readonly storage: 'indexeddb' | 'memory';
  /** Stands in for the browser's storage. */
  readonly ownStorage?: ConversationStorage | null;
  readonly streaming: 'auto' | 'off';
  readonly contact: Contact;
  readonly tools: ReadonlySet<ClientTool>;
  readonly isVisible: boolean;
  readonly fetch: typeof fetch;
  readonly language: 'en' | 'ar';
  /** The site's relay of a person's replies, absolute; null for none. */
  readonly relay: string | null;
  /** The state has changed; the page hears of it by the events. */
  onChange(state: ConversationState, events: Event[]): void;
}

const clock = systemClock;
const random = Math.random;

/** An id that no other tab gives: `crypto.randomUUID` is missing on pages without TLS. */
const createId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The visitor reads something calm; this is for the site's owner. A lost connection is told by the browser itself. */
const warnOfRefusal = ({ code, status, requestId }: Problem): void => {
  if (status < 400 || status === 429) return;
  console.warn(
    `workspace-chat: the service answered “${code}” (HTTP ${status}, ${requestId || 'without a request id'}).`,
  );
};

/** The chat goes on without it. */
const missing = (error: unknown): null => {
  console.error('workspace-chat: a part could not be loaded.', error);
  return null;
};

/** A message came unseen. Silence is no failure. */
const sound = () => import('../elements/sound.ts').then(({ chime }) => chime()).catch(() => {});

export class Core {
  readonly conversation: Conversation;
  /** Settles when a stored conversation is there again. */
  readonly restored: Promise<void>;
  readonly #host: CoreHost;
  #relay: string | null = null;
  #stopFollowing = () => {};

  constructor({ baseUrl, publishableKey, agentId }: Configuration, host: CoreHost) {
    const key = recordKey(baseUrl, publishableKey, agentId);
    const { fetch } = host;
    const locale = () => host.language;
    const durable = host.ownStorage ?? (host.storage === 'indexeddb' ? new IdbStorage() : null);
    const conversation: Conversation = new Conversation({
      key,
      client: new ApiClient({ baseUrl, publishableKey, agentId, fetch, clock, locale }),
      storage: new GuardedStorage(durable, clock, (error) => {
        console.warn('workspace-chat: the browser’s storage failed; the conversation is kept in memory.', error);
        conversation.store.dispatch({ type: 'storage-failed' });
      }),
      openTabs: (onNews) => new BrowserTabs(key, clock, onNews),
      connectivity: browserConnectivity,
      clock,
      createId,
      random,
      locale,
      streaming: () => host.streaming,
    });
    this.#host = host;
    this.conversation = conversation;
    conversation.isVisible = host.isVisible;
    conversation.setContact(host.contact);
    conversation.store.subscribe((state, event, before) => {
      if (event.type === 'turn-failed') warnOfRefusal(event.problem);
      if (event.type === 'unread-counted') void sound();
      host.onChange(state, announce(event, state, before));
    });
    const forgetForms = durable && keepFormDrafts(conversation.store, key);
    this.restored = Promise.all([conversation.start(), this.offerTools()]).then(() => {
      forgetForms?.();
      return this.follow();
    });
  }

  /** Offers what the page has registered; the code that runs tools comes with the first of them. */
  async offerTools(): Promise<void> {
    if (this.#host.tools.size === 0) return;
    const loaded = await import('../chat/tools/client-tools.ts').catch(missing);
    if (loaded) this.conversation.tools = new loaded.ClientTools(this.#host.tools);
  }

  /** Follows the relay that the page names now. */
  async follow(): Promise<void> {
    const url = this.#host.relay;
    if (url === this.#relay) return;
    this.#relay = url;
    this.#stopFollowing();
    if (!url) return;
    const loaded = await Promise.all([import('../chat/team-relay.ts'), import('../chat/visibility.ts')]).catch(missing);
    if (!loaded || url !== this.#relay) return;
    const [{ followReplies }, { pageVisibility }] = loaded;
    const { conversation } = this;
    const { fetch } = this.#host;
    this.#stopFollowing = followReplies({ url, conversation, fetch, clock, random, visibility: pageVisibility() });
  }

  dispose(): void {
    this.#relay = null;
    this.#stopFollowing();
    this.conversation.dispose();
  }
}
