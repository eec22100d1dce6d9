/** The conversation without views, for an interface of your own. */
import { receive } from '../../chat/team-message.ts';
import type { ChatResponse, JsonObject } from '../../../contract/wire.ts';
import { checkConfiguration } from '../../chat/configuration.ts';
import type { Contact } from '../../chat/identity.ts';
import type { Conversation } from '../../chat/conversation.ts';
import type { ConversationState } from '../../chat/state/state.ts';
import type { ClientTool } from '../../chat/tools/client-tool.ts';
import { lazyFile } from '../../chat/lazy-file.ts';
import { ToolRegistry } from '../../chat/tools/tool-registry.ts';
import { languageOf } from '../../locale/language.ts';
import { BrowserConversation } from '../../workspace-chat/browser-conversation.ts';
import { nativeFetch } from '../../workspace-chat/native-fetch.ts';
import type { ConversationEvents } from './conversation-events.ts';

/** The options of `createConversation`. */
export interface CreateConversationOptions {
  /** The API's URL with its version prefix, such as `https://api.example/api/v2`. */
  baseUrl: string;
  /** The workspace's publishable key, `svc_pk_…`. */
  publishableKey: string;
  /** The id of the agent that replies, `agt_…`. */
  agentId: string;
  /** The language of the replies as a BCP 47 tag: `ar*` is Arabic, anything else English. The document's `lang` by default. */
  locale?: string;
  /** Where the conversation is stored: in the browser (by default), or in memory until the page is closed. */
  storage?: 'indexeddb' | 'memory';
  /** With `off`, replies are not streamed, and each call has an Idempotency-Key. */
  streaming?: 'auto' | 'off';
  /** The visitor's identity: a proof, or a function that returns one. It is kept in memory only. */
  contact?: Contact;
  /** Replaces the browser's `fetch`, for tests and for proxies. */
  fetch?: typeof fetch;
}

/** The observable state of a conversation. */
export interface ConversationStore {
  /** An immutable snapshot. Each change replaces it, so that you can compare snapshots with `===`. */
  readonly state: ConversationState;
  /**
   * Calls `listener` after each change. It needs no `this`, so you can pass it to React's `useSyncExternalStore`.
   * @returns An unsubscribe function.
   */
  readonly subscribe: (listener: (state: ConversationState) => void) => () => void;
}

const doctorFile = lazyFile(async () => (await import('../doctor/index.ts')).doctor);

/** Reports what is wrong with the options. */
const explain = async (options: CreateConversationOptions): Promise<void> => {
  try {
    const { describeConfiguration } = await doctorFile.load();
    console.error(describeConfiguration(options));
  } catch {
    // The error that was thrown is all there is.
  }
};

/** A conversation of a visitor with an agent. Create it with `createConversation`. */
export class ConversationClient {
  /** The conversation's state. */
  readonly store: ConversationStore;
  /** Resolves when a stored conversation is restored, or there is none. Never rejects. */
  readonly ready: Promise<void>;
  readonly #browser: BrowserConversation;
  readonly #conversation: Conversation;
  readonly #events = new EventTarget();
  readonly #tools = new ToolRegistry(() => {});
  readonly #visibility: { isVisible: boolean };

  constructor(options: CreateConversationOptions) {
    const configuration = checkConfiguration(options);
    if (!configuration) {
      void explain(options);
      throw new TypeError('invalid configuration');
    }
    const host = {
      ...options,
      fetch: options.fetch ?? nativeFetch,
      tools: this.#tools,
      isVisible: true,
      language: () => languageOf(options.locale ?? globalThis.document?.documentElement.lang),
      dispatch: (event: Event) => this.#events.dispatchEvent(event),
      onStateChanged: (_state: ConversationState, events: readonly Event[]) => {
        for (const event of events) this.#events.dispatchEvent(event);
      },
    };
    this.#visibility = host;
    this.#browser = new BrowserConversation(configuration, host);
    this.#conversation = this.#browser.conversation;
    this.store = this.#conversation.store;
    this.ready = this.#browser.start().then(() => this.#browser.updateVisibility());
  }

  /** Whether a message is being sent or a reply is streaming. */
  get busy(): boolean {
    return this.#browser.isBusy;
  }

  /**
   * Sets whether the visitor sees the messages: true at first, false while your panel is closed. What arrives unseen, or while
   * the page is hidden, counts as unread (`state.unread`).
   * @example panel.addEventListener('toggle', () => conversation.setVisible(panel.open));
   */
  setVisible(isVisible: boolean): void {
    this.#visibility.isVisible = isVisible;
    this.#browser.updateVisibility();
  }

  /**
   * Calls `listener` for each event of a type. The events are those of the element, without the prefix `workspace-chat-`.
   * @param options.signal Removes the listener when it aborts.
   * @returns An unsubscribe function.
   * @example conversation.on('message', ({ message }) => console.log(message.content));
   */
  on<Type extends keyof ConversationEvents>(
    type: Type,
    listener: (event: ConversationEvents[Type]) => void,
    options?: { signal?: AbortSignal },
  ): () => void {
    const name = `workspace-chat-${type}`;
    const call = listener as unknown as EventListener;
    this.#events.addEventListener(name, call, options);
    return () => this.#events.removeEventListener(name, call);
  }

  /**
   * Sends a message as the visitor. It waits for a turn that is in progress. 8,000 characters at most.
   * @returns The response (the contract's "Chat"), or null when there is none: the text is empty, a listener canceled
   * `send`, the visitor stopped the turn, or the turn failed. It never rejects: a failure is in `state.turn`.
   * @example const response = await conversation.send('When are you open?');
   */
  async send(text: string): Promise<ChatResponse | null> {
    return this.#conversation.send(text);
  }

  /**
   * Sends a visitor's message again whose `delivery` is `unsent` or `unconfirmed`.
   * @param key The message's `key`.
   * @example await conversation.sendAgain(message.key);
   */
  sendAgain(key: string): Promise<ChatResponse | null> {
    return this.#conversation.sendAgain(key);
  }

  /**
   * Stops the reply that is streaming. The text that has arrived stays.
   * @example conversation.stop();
   */
  stop(): void {
    this.#conversation.stop();
  }

  /**
   * Replaces `state.draft`, the text that the visitor is typing. It is stored within a second, and survives a reload.
   * @example input.addEventListener('input', () => conversation.setDraft(input.value));
   */
  setDraft(text: string): void {
    this.#conversation.setDraft(text);
  }

  /**
   * Registers a client tool, which the agent can then call (the contract's "Client tools").
   * @param options.signal Unregisters the tool when it aborts.
   * @returns An unregister function.
   * @throws {TypeError} When the name is not in snake_case, `run` is missing, `parameters` is no Standard Schema, or 20 tools are
   *   registered already.
   * @example conversation.registerTool({ name: 'get_cart', run: () => shop.cart() });
   */
  registerTool<Args = JsonObject>(tool: ClientTool<Args>, options?: { signal?: AbortSignal }): () => void {
    return this.#tools.register(tool, options);
  }

  /**
   * Resolves the consent prompt of a client tool with `confirm`: a tool run of the reply in the phase `asked`.
   * @example conversation.consent(run.callId, true);
   */
  consent(callId: string, isGiven: boolean): void {
    this.#conversation.consent(callId, isGiven);
  }

  /**
   * Sets the visitor's identity and proves it at once (the contract's "Visitor identity"). The transcript is hidden until then.
   * @example conversation.identify({ token: await fetchIdentityToken() });
   */
  identify(contact: Contact): void {
    this.#conversation.setContact(contact, true);
  }

  /**
   * Removes the visitor's identity in every tab and deletes what was stored for them.
   * @returns A promise that settles when the stored conversation is deleted.
   * @example await conversation.logout();
   */
  logout(): Promise<void> {
    return this.#conversation.logout();
  }

  /**
   * Deletes the conversation in this browser. The next message starts a new one.
   * @returns A promise that settles when the stored conversation is deleted.
   * @example await conversation.reset();
   */
  reset(): Promise<void> {
    return this.#conversation.reset();
  }

  /**
   * Shows a team member's message from the site's own relay.
   * @param message A Message of the API with its `conversation_id`. Messages of other conversations are ignored.
   * @example relay.onmessage = ({ data }) => conversation.receive(JSON.parse(data));
   */
  receive(message: unknown): void {
    receive(this.#conversation, message);
  }

  /**
   * Ends the turn, stores what is left to store, and closes the connections to other tabs. The conversation stays stored.
   * @example useEffect(() => () => conversation.dispose(), []);
   */
  dispose(): void {
    this.#browser.dispose();
  }
}

/**
 * Starts a conversation without views. It restores the stored conversation of this browser, and shares it with other tabs
 * and with the element.
 * @throws {TypeError} When the `baseUrl`, `publishableKey` or `agentId` is not valid. The console names the problem.
 * @example
 * ```js
 * const conversation = createConversation({ baseUrl, publishableKey, agentId });
 * conversation.store.subscribe(({ messages }) => render(messages));
 * await conversation.send('When are you open?');
 * ```
 */
export const createConversation = (options: CreateConversationOptions): ConversationClient =>
  new ConversationClient(options);
