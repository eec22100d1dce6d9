/** One conversation of a visitor with an agent: it sends, receives and persists messages. Its `store` holds the state. */
import type { ApiClient } from '../api/client.ts';
import { abortable, type Clock } from '../api/clock.ts';
import { decodeMessage } from '../api/decode.ts';
import { toObject, toText } from '../api/decode-values.ts';
import type { ChatResponse, FormBlock } from '../../contract/wire.ts';
import { Archive } from './storage/archive.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { Connectivity } from './connectivity.ts';
import type { Contact } from './identity.ts';
import { reduce } from './state/reduce.ts';
import {
  initialState,
  isBusy,
  type ConversationState,
  type FormDraft,
  type NoticeMessage,
  type VisitorMessage,
} from './state/state.ts';
import type { ConversationStorage } from './storage/storage.ts';
import { Store } from './state/store.ts';
import { StreamingChoice } from './streaming-choice.ts';
import type { TabNews, Tabs } from './tabs.ts';
import type { ClientTools } from './tools/client-tools.ts';
import type { FrozenCall, TurnHost } from './turn.ts';
import { TurnQueue } from './turn-queue.ts';
import { Visitor } from './visitor.ts';

export interface ConversationOptions {
  /** See `recordKey`. */
  key: string;
  client: ApiClient;
  storage: ConversationStorage;
  openTabs: (onNews: (news: TabNews) => void) => Tabs;
  connectivity: Connectivity;
  clock: Clock;
  /** Returns a new unique id. */
  createId: () => string;
  /** Returns a number from 0 to 1, for jitter. */
  random: () => number;
  locale: () => 'en' | 'ar';
  /** With `off`, only plain calls are made. */
  streaming: () => 'auto' | 'off';
  /** Asks the page whether a text may be sent. */
  confirmSend?: (text: string) => boolean;
}

/** Milliseconds without news of another tab's turn after which the turn counts as ended. */
const otherTabTimeout = 12_000;

export class Conversation {
  readonly store = new Store<ConversationState, ChatEvent>(initialState, reduce);
  /** The page's client tools, or null while there are none. */
  tools: ClientTools | null = null;
  /** Whether the visitor sees the conversation, so that new messages count as read. */
  isVisible = false;
  readonly #options: ConversationOptions;
  readonly #archive: Archive;
  readonly #tabs: Tabs;
  readonly #host: TurnHost;
  readonly #consents = new Map<string, (isGiven: boolean) => void>();
  readonly #visitor: Visitor;
  readonly #turns: TurnQueue;
  #cancelOtherTabTimer = () => {};

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { key, storage, clock } = options;
    const { store } = this;
    this.#tabs = options.openTabs((news) => void this.#onTabNews(news));
    const archive = new Archive({ key, storage, clock, store, onSaved: () => this.#tabs.post('saved') });
    this.#archive = archive;
    const visitor = new Visitor({
      store,
      archive,
      clock,
      endTurn: () => this.#turns.end(),
      onErased: () => this.#tabs.post('cleared'),
    });
    this.#visitor = visitor;
    this.#host = {
      ...options,
      store,
      archive,
      tools: () => this.tools,
      streamingChoice: new StreamingChoice(),
      frozenCalls: new Map<string, FrozenCall>(),
      readChanges: () => this.#readChanges(),
      identify: () => visitor.identify(),
      canRenewProof: () => visitor.canRenewProof,
      restart: (code) => this.#restart(code),
      consent: (callId, signal) => this.#awaitConsent(callId, signal),
    };
    this.#turns = new TurnQueue({ host: this.#host, tabs: this.#tabs, onReply: () => this.#countUnread() });
  }

  /** Restores the stored conversation. Settles within about a second, even if the storage hangs. */
  async start(): Promise<void> {
    const [record, isOtherTabBusy] = await Promise.all([this.#archive.load(), this.#tabs.isBusy()]);
    if (isOtherTabBusy) this.#onOtherTabBusy();
    if (!record) this.store.dispatch({ type: 'unlocked' });
    else if (record.owner === null) this.#archive.restore(record);
    // The page may need time for the proof of identity. Until then nothing is shown, and the visitor can type.
    else void this.#visitor.lock(record.owner);
    await this.#archive.prune();
  }

  /**
   * Sends a text as the visitor. It waits for a turn that is in progress.
   * @returns The response, or null when there is none: the text is empty, the page rejected it, the visitor stopped the
   * turn, or the turn failed.
   */
  async send(text: string): Promise<ChatResponse | null> {
    return this.#submit(text);
  }

  /** Sends the draft and clears it. A draft that the page rejects, or changes while it is asked, stays. */
  sendDraft(): void {
    const { draft } = this.store.state;
    if (this.#submit(draft) && this.store.state.draft === draft) this.setDraft('');
  }

  /**
   * Sends the text that a block submits, once.
   * @param key See `formDraftKey`.
   * @returns Whether it was sent: not during a turn, not twice, and not when the page rejects it.
   */
  submitBlock(key: string, text: string, form?: { block: FormBlock; data: FormDraft }): boolean {
    const { state } = this.store;
    if (isBusy(state) || key in state.submitted || !this.#submit(text)) return false;
    this.store.dispatch({ type: 'block-submitted', key, text: text.trim(), form });
    return true;
  }

  /** Sends a message again whose delivery failed or is unconfirmed. */
  sendAgain(key: string): Promise<ChatResponse | null> {
    const message = this.#visitorMessage(key);
    return message && message.delivery !== 'confirmed' && !isBusy(this.store.state)
      ? this.#turns.add({ ...message, delivery: 'unsent' })
      : Promise.resolve(null);
  }

  /** Moves a message that was not delivered back into the composer. */
  edit(key: string): void {
    const message = this.#visitorMessage(key);
    if (!message || isBusy(this.store.state)) return;
    this.#host.frozenCalls.delete(key);
    this.store.dispatch({ type: 'message-dropped', key });
    this.setDraft(message.text);
  }

  setDraft(draft: string): void {
    this.store.dispatch({ type: 'draft-changed', draft });
  }

  /** Stops the turn. The text that has arrived stays. */
  stop(): void {
    this.#turns.stop();
  }

  /** Resolves the consent prompt of a client tool. */
  consent(callId: string, isGiven: boolean): void {
    this.#consents.get(callId)?.(isGiven);
  }

  /** Sets the visitor's identity. The conversation of another visitor is erased. */
  setContact(contact: Contact): void {
    this.#visitor.setContact(contact);
  }

  /** Removes the visitor's identity in every tab, and erases their conversation. */
  async logout(): Promise<void> {
    this.#tabs.post('logged-out');
    await this.#visitor.logout();
  }

  /** Erases the conversation in every tab. The next message starts a new one. */
  async reset(): Promise<void> {
    await this.#visitor.eraseConversation();
  }

  /** Adds a team member's message from the site's relay. Messages of other conversations are ignored. */
  receive(value: unknown): void {
    const before = this.store.state;
    const message = decodeMessage(value);
    const about = toText(toObject(value)['conversation_id']) || before.conversationId;
    if (message?.role !== 'assistant' || before.status !== 'ready' || !about || about !== before.conversationId) return;
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'message-received', message, key: createId(), at: clock.now() });
    if (this.store.state !== before) this.#countUnread();
  }

  /** Applies a conversation state from the site's relay. */
  receiveState(conversationId: string, state: string): void {
    if (!state || conversationId !== this.store.state.conversationId) return;
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'state-changed', state, key: createId(), at: clock.now() });
  }

  /** The conversation's credentials, or null while there are none. */
  get credentials(): { conversationId: string; token: string } | null {
    return this.#archive.credentials;
  }

  /** Ends the turn because the page is being left. */
  suspend(): void {
    this.#turns.suspend();
    void this.#archive.flush();
  }

  /** Reads the stored record after the page has been restored: another tab may have continued. */
  async resume(): Promise<void> {
    if (!isBusy(this.store.state)) await this.#readChanges();
  }

  dispose(): void {
    this.#turns.close();
    this.#cancelOtherTabTimer();
    void this.#archive.close().then(() => this.#tabs.close());
  }

  #visitorMessage(key: string): VisitorMessage | null {
    const message = this.store.state.messages.find((known) => known.key === key);
    return message?.role === 'user' ? message : null;
  }

  /** Returns null when there is nothing to send, or the page rejects the text. */
  #submit(text: string): Promise<ChatResponse | null> | null {
    const content = text.trim();
    const { clock, createId, confirmSend } = this.#options;
    if (!content || confirmSend?.(text) === false) return null;
    return this.#turns.add({ role: 'user', key: createId(), text: content, at: clock.now(), delivery: 'unsent' });
  }

  #addNotice(code: NoticeMessage['code']): void {
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'notice-added', code, key: createId(), at: clock.now() });
  }

  #restart(code: string): void {
    this.#archive.forgetCredentials();
    // The transcript belongs to another visitor.
    if (code === 'identity_mismatch') this.store.dispatch({ type: 'cleared' });
    else this.#addNotice('restarted');
  }

  #countUnread(): void {
    if (!this.isVisible) this.store.dispatch({ type: 'unread-counted' });
  }

  async #readChanges(): Promise<void> {
    const record = await this.#archive.load();
    if (!record || !this.#archive.isOutdatedBy(record)) return;
    const isProven = record.owner === this.#archive.owner && this.store.state.status === 'ready';
    if (record.owner === null || isProven) this.#archive.restore(record);
    else await this.#visitor.lock(record.owner);
  }

  async #onTabNews(news: TabNews): Promise<void> {
    switch (news) {
      case 'busy':
        return this.#onOtherTabBusy();
      case 'free':
        this.#cancelOtherTabTimer();
        this.store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: false });
        return this.resume();
      case 'saved':
        return this.resume();
      case 'logged-out':
        return this.#visitor.logout();
      case 'cleared':
        this.#turns.end();
        this.#archive.detach();
        this.store.dispatch({ type: 'cleared', keepDraft: true });
    }
  }

  #onOtherTabBusy(): void {
    this.#cancelOtherTabTimer();
    this.store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: true });
    this.#cancelOtherTabTimer = this.#options.clock.after(otherTabTimeout, () => void this.#onTabNews('free'));
  }

  #awaitConsent(callId: string, signal: AbortSignal): Promise<boolean> {
    const decision = new Promise<boolean>((resolve) => {
      this.#consents.set(callId, resolve);
    });
    return abortable(decision, signal).finally(() => this.#consents.delete(callId));
  }
}
