/** One conversation of a visitor with an agent: sends, receives, keeps. What it knows is in its `store`. */
import type { ApiClient } from '../api/client.ts';
import { abortable, type Clock } from '../api/clock.ts';
import { decodeMessage } from '../api/decode.ts';
import { toObject, toText } from '../api/decode-values.ts';
import { ApiError, type Stage } from '../api/errors.ts';
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
import { Turn, type FrozenCall, type TurnHost } from './turn.ts';
import { Visitor } from './visitor.ts';

export interface ConversationOptions {
  /** See `recordKey`. */
  key: string;
  client: ApiClient;
  storage: ConversationStorage;
  openTabs: (onNews: (news: TabNews) => void) => Tabs;
  connectivity: Connectivity;
  clock: Clock;
  /** A new id, never given before. */
  createId: () => string;
  /** From 0 to 1, for jitter. */
  random: () => number;
  locale: () => 'en' | 'ar';
  /** With `off`, only plain calls are made. */
  streaming: () => 'auto' | 'off';
  /** Asks the page whether a text may be sent. */
  confirmSend?: (text: string) => boolean;
}

/** Another tab's turn that was not heard of for so long is taken to be over, in milliseconds. */
const otherTabTimeout = 12_000;

export class Conversation {
  readonly store = new Store<ConversationState, ChatEvent>(initialState, reduce);
  /** The page's tools; null while it has none. */
  tools: ClientTools | null = null;
  /** The visitor sees the conversation: what comes is read at once. */
  isVisible = false;
  readonly #options: ConversationOptions;
  readonly #archive: Archive;
  readonly #tabs: Tabs;
  readonly #host: TurnHost;
  readonly #consents = new Map<string, (isGiven: boolean) => void>();
  readonly #visitor: Visitor;
  #isDisposed = false;
  #turn: Turn | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #cancelElsewhere = () => {};

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { key, storage, clock } = options;
    const { store } = this;
    this.#tabs = options.openTabs((news) => void this.#hear(news));
    const archive = new Archive({ key, storage, clock, store, onSaved: () => this.#tabs.tell('saved') });
    this.#archive = archive;
    const visitor = new Visitor({
      store,
      archive,
      clock,
      leaveTurn: () => this.#leaveTurn(),
      onErased: () => this.#tabs.tell('cleared'),
    });
    this.#visitor = visitor;
    this.#host = {
      ...options,
      store,
      archive,
      tools: () => this.tools,
      streamingChoice: new StreamingChoice(),
      frozenCalls: new Map<string, FrozenCall>(),
      catchUp: () => this.#catchUp(),
      identify: () => visitor.identify(),
      canRenewProof: () => visitor.canRenewProof,
      restart: (code) => this.#restart(code),
      consent: (callId, signal) => this.#awaitConsent(callId, signal),
    };
  }

  /** Restores what is stored. Settles within a second or so, whatever the storage does. */
  async start(): Promise<void> {
    const [record, isBusyElsewhere] = await Promise.all([this.#archive.load(), this.#tabs.isBusy()]);
    if (isBusyElsewhere) this.#noteElsewhere();
    if (!record) this.store.dispatch({ type: 'unlocked' });
    else if (record.owner === null) this.#archive.adopt(record);
    // The page may take its time with the proof; meanwhile nothing is shown, and anything can be typed.
    else void this.#visitor.admit(record.owner);
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

  /** Sends a message again that was not taken, or not surely. */
  sendAgain(key: string): Promise<ChatResponse | null> {
    const message = this.#ownMessage(key);
    return message && message.delivery !== 'confirmed' && !isBusy(this.store.state)
      ? this.#enqueue({ ...message, delivery: 'unsent' })
      : Promise.resolve(null);
  }

  /** Takes a message that was not sent back into the composer. */
  edit(key: string): void {
    const message = this.#ownMessage(key);
    if (!message || isBusy(this.store.state)) return;
    this.#host.frozenCalls.delete(key);
    this.store.dispatch({ type: 'message-dropped', key });
    this.setDraft(message.text);
  }

  setDraft(draft: string): void {
    this.store.dispatch({ type: 'draft-changed', draft });
  }

  /** Ends the turn by the visitor's wish; what has come of the answer stays. */
  stop(): void {
    const { state } = this.store;
    if (!isBusy(state)) return;
    const turn = this.#turn;
    if (!turn || turn.isHidden || turn.stage === 'refused') {
      this.store.dispatch({ type: 'turn-withdrawn' });
      if (!turn?.isHidden) turn?.abort();
      return;
    }
    this.store.dispatch({ type: 'turn-stopped' });
    // A conversation that has begun and whose pair is yet to come would be lost to the visitor.
    if (state.conversationId === null) turn.hide();
    else turn.abort();
  }

  /** The visitor's answer to a client tool's prompt. */
  consent(callId: string, isGiven: boolean): void {
    this.#consents.get(callId)?.(isGiven);
  }

  /** Sets who the visitor is, or how to learn it. A conversation of somebody else is never shown again. */
  setContact(contact: Contact): void {
    this.#visitor.setContact(contact);
  }

  /** The visitor is nobody from here on, in every tab. */
  async logout(): Promise<void> {
    this.#tabs.tell('logged-out');
    await this.#visitor.logOut();
  }

  /** Forgets the conversation, in every tab: the next message starts a new one. */
  async reset(): Promise<void> {
    await this.#visitor.forget();
  }

  /** Takes a message of a person from the site's own relay; those of other conversations are ignored. */
  receive(value: unknown): void {
    const before = this.store.state;
    const message = decodeMessage(value);
    const about = toText(toObject(value)['conversation_id']) || before.conversationId;
    if (message?.role !== 'assistant' || before.status !== 'ready' || !about || about !== before.conversationId) return;
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'message-received', message, key: createId(), at: clock.now() });
    if (this.store.state !== before) this.#countUnread();
  }

  /** Takes the conversation's state from the site's own relay. */
  receiveState(conversationId: string, state: string): void {
    if (!state || conversationId !== this.store.state.conversationId) return;
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'state-changed', state, key: createId(), at: clock.now() });
  }

  /** What proves the conversation to the service and to the site's relay; null while there is none. */
  get pair(): { conversationId: string; token: string } | null {
    return this.#archive.pair;
  }

  /** The page is being left, for good or for the back/forward cache, where a stream would get nothing more. */
  suspend(): void {
    const turn = this.#turn;
    const stage = turn && !turn.isHidden ? turn.stage : 'refused';
    if (stage === 'refused') this.store.dispatch({ type: 'turn-stopped' });
    else this.#fail(new ApiError(stage === 'accepted' ? 'interrupted' : 'network', stage), stage);
    turn?.abort();
    void this.#archive.flush();
  }

  /** The page is back: another tab may have gone on. */
  async resume(): Promise<void> {
    if (!isBusy(this.store.state)) await this.#catchUp();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.suspend();
    this.#cancelElsewhere();
    void this.#archive.close().then(() => this.#tabs.close());
  }

  #ownMessage(key: string): VisitorMessage | null {
    const message = this.store.state.messages.find((known) => known.key === key);
    return message?.role === 'user' ? message : null;
  }

  /** Returns null when there is nothing to send, or the page rejects the text. */
  #submit(text: string): Promise<ChatResponse | null> | null {
    const content = text.trim();
    const { clock, createId, confirmSend } = this.#options;
    if (!content || confirmSend?.(text) === false) return null;
    return this.#enqueue({ role: 'user', key: createId(), text: content, at: clock.now(), delivery: 'unsent' });
  }

  #enqueue(message: VisitorMessage): Promise<ChatResponse | null> {
    const isFree = !isBusy(this.store.state);
    if (isFree) this.#begin(message);
    // A stopped turn still listens for the pair.
    if (isFree && this.#turn) this.store.dispatch({ type: 'turn-delayed', reason: 'previous', until: null });
    const result = this.#queue.then(() => {
      if (!isFree && !this.#isDisposed) this.#begin(message);
      return this.#take(message);
    });
    this.#queue = result;
    return result;
  }

  #begin(message: VisitorMessage): void {
    this.#archive.beginConversation();
    this.store.dispatch({ type: 'turn-sent', message });
  }

  /** Never rejects: what fails becomes the state's problem. */
  async #take(message: VisitorMessage): Promise<ChatResponse | null> {
    const { turn: now } = this.store.state;
    // It was withdrawn, or forgotten with its conversation, while it waited.
    if (now.status === 'idle' || now.status === 'failed' || now.messageKey !== message.key) return null;
    const turn = new Turn(message, this.#host);
    this.#turn = turn;
    const onWaiting = () => this.store.dispatch({ type: 'turn-delayed', reason: 'other_tab', until: null });
    try {
      const response = await this.#tabs.exclusive(() => turn.run(), turn.signal, onWaiting);
      if (response?.message) this.#countUnread();
      return response;
    } catch (error) {
      if (!turn.signal.aborted && !turn.isHidden) this.#fail(error, turn.stage);
      return null;
    } finally {
      turn.abort();
      this.#turn = null;
      const isKept = this.#ownMessage(message.key) !== null;
      if (turn.isHidden && isKept && this.store.state.conversationId === null) this.#notice('unlinked');
      await this.#archive.flush();
    }
  }

  #fail(error: unknown, stage: Stage): void {
    // A page that was frozen in mid-turn, and taken for dead, has lost its place to another tab.
    const isTakenOver = error instanceof DOMException && error.name === 'AbortError';
    const known = error instanceof ApiError ? error : new ApiError(isTakenOver ? 'network' : 'internal', stage);
    if (known !== error && !isTakenOver) console.error('workspace-chat:', error);
    const { code, status, requestId, detail } = known;
    const delivery = { refused: 'unsent', unconfirmed: 'unconfirmed', accepted: 'confirmed' } as const;
    this.store.dispatch({
      type: 'turn-failed',
      problem: { code, status, requestId, detail },
      delivery: delivery[stage],
    });
  }

  #notice(code: NoticeMessage['code']): void {
    const { createId, clock } = this.#options;
    this.store.dispatch({ type: 'notice-added', code, key: createId(), at: clock.now() });
  }

  #restart(code: string): void {
    this.#archive.forgetCredentials();
    // Another visitor's transcript is not this visitor's to see.
    if (code === 'identity_mismatch') this.store.dispatch({ type: 'cleared' });
    else this.#notice('restarted');
  }

  #countUnread(): void {
    if (!this.isVisible) this.store.dispatch({ type: 'unread-counted' });
  }

  #leaveTurn(): void {
    if (isBusy(this.store.state)) this.store.dispatch({ type: 'turn-stopped' });
    this.#turn?.abort();
  }

  async #catchUp(): Promise<void> {
    const record = await this.#archive.load();
    if (!record || !this.#archive.isBehind(record)) return;
    const isProven = record.owner === this.#archive.owner && this.store.state.status === 'ready';
    if (record.owner === null || isProven) this.#archive.adopt(record);
    else await this.#visitor.admit(record.owner);
  }

  async #hear(news: TabNews): Promise<void> {
    switch (news) {
      case 'busy':
        return this.#noteElsewhere();
      case 'free':
        this.#cancelElsewhere();
        this.store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: false });
        return this.resume();
      case 'saved':
        return this.resume();
      case 'logged-out':
        return this.#visitor.logOut();
      case 'cleared':
        this.#leaveTurn();
        this.#archive.abandon();
        this.store.dispatch({ type: 'cleared', keepDraft: true });
    }
  }

  #noteElsewhere(): void {
    this.#cancelElsewhere();
    this.store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: true });
    this.#cancelElsewhere = this.#options.clock.after(otherTabTimeout, () => void this.#hear('free'));
  }

  #awaitConsent(callId: string, signal: AbortSignal): Promise<boolean> {
    const answer = new Promise<boolean>((resolve) => {
      this.#consents.set(callId, resolve);
    });
    return abortable(answer, signal).finally(() => this.#consents.delete(callId));
  }
}
