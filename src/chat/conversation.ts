/** One conversation of a visitor with an agent: it sends, receives and persists messages. Its `store` holds the state. */
import { hasVisibleText } from '../../contract/characters.ts';
import type { ChatResponse } from '../../contract/wire.ts';
import { Archive } from './storage/archive.ts';
import type { ConversationOptions } from './conversation-options.ts';
import { OtherTurn } from './other-turn.ts';
import type { ChatEvent, Kept, RelayedEvent } from './state/chat-event.ts';
import type { Contact } from './identity.ts';
import { reduce } from './state/reduce.ts';
import { createMessage } from './state/messages.ts';
import { initialState, isBusy, type ConversationState } from './state/state.ts';
import type { StoredRecord } from './storage/record.ts';
import { Store } from './state/store.ts';
import { pruneRecords } from './storage/upkeep.ts';
import { StreamingChoice } from './streaming-choice.ts';
import type { TabNews, Tabs } from './tabs.ts';
import type { FrozenCall, TurnHost } from './turn-host.ts';
import { TurnQueue } from './turn-queue.ts';
import { Visitor } from './visitor.ts';

export class Conversation {
  readonly store = new Store<ConversationState, ChatEvent>(initialState, reduce);
  /** Whether the visitor sees the conversation, so that new messages count as read. */
  isVisible = false;
  readonly #options: ConversationOptions;
  readonly #archive: Archive;
  readonly #tabs: Tabs;
  readonly #host: TurnHost;
  readonly #visitor: Visitor;
  readonly #turns: TurnQueue;
  readonly #otherTurn: OtherTurn;
  #started: Promise<void> | null = null;

  constructor(options: ConversationOptions) {
    this.#options = options;
    const { store } = this;
    this.#otherTurn = new OtherTurn({ store, clock: options.clock, onEnded: () => void this.resume() });
    this.#tabs = options.openTabs((news) => this.#onNews(news));
    this.#archive = new Archive({
      ...options,
      store,
      typist: () => this.#visitor.provenOwner,
      onRead: (record) => this.#adopt(record),
      onSaved: () => this.#tabs.post({ type: 'saved' }),
      onErased: () => this.#onErased(),
      onClaimed: (owner) => this.#onOwnerFound(owner, 'turn'),
    });
    this.#visitor = new Visitor({
      store,
      archive: this.#archive,
      clock: options.clock,
      onProofMissing: () => this.#turns.endHeld(),
      setAside: (author, before) => {
        this.#archive.setAside(author, before);
        this.#turns.endOthers();
      },
      erase: (kept, successor) => this.#erase(kept, successor),
      leave: () => {
        this.#clear('newcomer');
        this.#archive.leave();
      },
    });
    this.#host = {
      ...options,
      store,
      archive: this.#archive,
      streamingChoice: new StreamingChoice(),
      frozenCalls: new Map<string, FrozenCall>(),
      readChanges: () => this.#readChanges(),
      visitor: this.#visitor,
      onReply: () => this.#countUnread(),
      restart: (code) => this.#restart(code),
    };
    this.#turns = new TurnQueue(this.#host, this.#tabs);
    store.subscribe(({ draft, messages, queued }, { type }, previous) => {
      // What another tab has written belongs to the visitor there, until the one of this tab acts.
      if (type === 'restored') return;
      if (draft !== previous.draft || messages !== previous.messages || queued !== previous.queued)
        this.#visitor.ownContent();
    });
  }

  /** Restores the stored conversation. Settles within about a second, even if the storage hangs. */
  async start(): Promise<void> {
    await (this.#started ??= this.#open());
    await pruneRecords(this.#options);
  }

  async #open(): Promise<void> {
    const read = this.#archive.open().then(() => true);
    // The chat can be used before the record has been read. It is merged when it arrives.
    if (!(await this.#options.storage.soon(read, false))) this.#show();
    // Not before: the other tab's turn may end while the record is read, and says so only once.
    if (await this.#tabs.isBusy()) this.#otherTurn.follow();
  }

  /** Shows what was stored. It may arrive after the visitor has typed, or even sent a message. */
  #adopt(record: StoredRecord | null): void {
    const { owner } = this.#archive;
    if (record && record.owner !== null && record.owner !== owner) {
      // The visitor has begun another conversation, which is not the owner's.
      if (this.#archive.credentials !== null) void this.#erase('newcomer');
      // The page may need time for the proof of identity. Until then nothing is shown, and the visitor can type.
      else this.#onOwnerFound(record.owner, 'newcomer');
    } else if (record) this.#archive.restore(record);
    this.#show();
    if (!record || record.owner !== null) this.#archive.restoreDraft(null);
    if (!record || record.owner === null) this.#archive.restoreDraft(this.#visitor.provenOwner);
    this.#visitor.ownContent();
  }

  #show(): void {
    if (this.store.state.status === 'loading') this.store.dispatch({ type: 'unlocked', held: null });
  }

  /**
   * Sends a text as the visitor. It waits for a turn that is in progress.
   * @param label What the transcript shows in place of the text.
   * @returns The response, or null: the visitor stopped the turn, or it failed. Null in place of a promise: nothing is sent,
   * because the text has no visible character, or the page rejects it.
   */
  send(text: string, label = ''): Promise<ChatResponse | null> | null {
    const content = text.trim();
    if (!hasVisibleText(content) || this.#options.confirmSend?.(text) === false) return null;
    return this.#turns.add(createMessage({ ...this.#stamp(), tab: this.#archive.tab }, content, label));
  }

  /** Sends the draft and clears it. A draft that the page rejects, or changes while it is asked, stays. */
  sendDraft(): void {
    const { draft } = this.store.state;
    if (this.send(draft) && this.store.state.draft === draft) this.setDraft('');
  }

  /** Sends a message again whose delivery failed or is unconfirmed. */
  sendAgain(key: string): Promise<ChatResponse | null> {
    return this.#turns.sendAgain(key);
  }

  /** Moves a message that was not delivered into the composer, behind the text that is typed there. */
  edit(key: string): void {
    this.#turns.edit(key);
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
    this.#options.tools.consent(callId, isGiven);
  }

  /** Sets the visitor's identity. With `isImmediate`, it is proven at once, with the transcript hidden. */
  setContact(contact: Contact, isImmediate = false): void {
    void this.#visitor.setContact(contact, isImmediate);
  }

  /** Removes the visitor's identity in every tab, and erases their conversation. Settles when that is durable. */
  async logout(): Promise<void> {
    const wasIdentified = this.#visitor.forgetContact();
    if (wasIdentified) this.#clear('nothing');
    const { erasureCount = null, done } = wasIdentified ? this.#archive.erase() : {};
    this.#tabs.post({ type: 'logged-out', erasureCount });
    await done;
  }

  /** Erases the conversation in every tab. The next message starts a new one. Settles when that is durable. */
  reset(): Promise<void> {
    return this.#erase();
  }

  /** Applies what the site's relay reports of this conversation: see `team-message.ts`. */
  receive(event: RelayedEvent): void {
    const before = this.store.state;
    this.store.dispatch({ ...event, ...this.#stamp() });
    if (event.type === 'message-received' && this.store.state !== before) this.#countUnread();
  }

  /** The conversation's credentials, or null while there are none. */
  get credentials(): { conversationId: string; token: string } | null {
    return this.#archive.credentials;
  }

  /** Writes what the visitor is typing synchronously: the page is hidden, and may be discarded. */
  saveDrafts(): void {
    this.#archive.saveDrafts();
  }

  /** Ends the turn because the page is being left. */
  suspend(): void {
    this.#turns.suspend();
    this.#archive.saveDrafts();
    void this.#archive.flush();
    this.store.dispatch({ type: 'suspended' });
  }

  /**
   * Reads the stored record: another tab may have continued, or erased it.
   * @param isReturning Whether the page has been restored. Other pages of the tab may have changed the drafts.
   */
  async resume(isReturning = false): Promise<void> {
    await this.#started;
    const hasLeft = isReturning || this.store.state.status === 'suspended';
    const showDrafts = hasLeft ? this.#archive.rereadDrafts() : null;
    if (!isBusy(this.store.state)) await this.#readChanges();
    if (this.store.state.status === 'suspended') this.store.dispatch({ type: 'unlocked', held: null });
    showDrafts?.();
  }

  dispose(): void {
    this.#turns.close();
    this.#otherTurn.dispose();
    this.#visitor.dispose();
    void this.#archive.close().then(() => this.#tabs.close());
  }

  /** Returns the key and the time of a new message. */
  #stamp(): { key: string; at: number } {
    return { key: this.#options.createId(), at: this.#options.clock.now() };
  }

  #restart(code: string): void {
    this.#archive.beginConversation(null);
    // The transcript belongs to another visitor.
    if (code === 'identity_mismatch') void this.#erase('turn');
    else this.store.dispatch({ type: 'notice-added', code: 'restarted', ...this.#stamp() });
  }

  /**
   * Hides the conversation of `owner`, who is not proven in this tab, until the page proves the same identity.
   * @param kept `turn` when another tab has assigned the record to them: the turn in progress is of the visitor of this tab.
   */
  #onOwnerFound(owner: string, kept: Kept): void {
    const { owner: before } = this.#archive;
    this.#archive.lock(owner, kept);
    if (before !== null && before !== owner) {
      // What this tab has of another visitor was stored nowhere, and is not part of the owner's conversation.
      this.#turns.endHeld();
      this.#archive.held.clear();
    }
    this.#visitor.onOwnerFound();
  }

  /** Erases everything of the visitor, here and in every tab. See `TabNews` for `successor`. */
  #erase(kept: Kept = 'nothing', successor?: string): Promise<void> {
    this.#clear(kept);
    const { erasureCount, done } = this.#archive.erase(successor);
    this.#tabs.post({ type: 'erased', erasureCount, successor });
    return done;
  }

  /** The conversation was erased in another tab. */
  #onErased(): void {
    this.#clear('nothing');
    this.#visitor.onErased();
    // The other tab may have started the next conversation.
    this.#options.clock.after(0, () => void this.resume());
  }

  #clear(kept: Kept): void {
    if (kept === 'nothing') this.#turns.end();
    if (kept === 'newcomer') this.#turns.endHeld();
    const { frozenCalls } = this.#host;
    const own = [null, this.store.state.conversationId];
    // A newcomer's call that may have arrived must be repeated as it is. One that continues another conversation is not theirs.
    for (const [key, { conversationId }] of frozenCalls)
      if (kept !== 'newcomer' || !own.includes(conversationId)) frozenCalls.delete(key);
    this.store.dispatch({ type: 'cleared', kept });
  }

  #countUnread(): void {
    if (!this.isVisible) this.store.dispatch({ type: 'unread-counted' });
  }

  /** Settles when the record has been read, or the storage takes too long: then what it contains is shown when it arrives. */
  async #readChanges(): Promise<void> {
    await this.#started;
    const read = this.#archive.load().then((record) => this.#adoptChanges(record));
    await this.#options.storage.soon(read, null);
  }

  #adoptChanges(record: StoredRecord | null): void {
    const { status } = this.store.state;
    if (!record || status === 'locked') return;
    if (record.owner === null || record.owner === this.#archive.owner) this.#archive.restore(record);
    else this.#onOwnerFound(record.owner, 'turn');
  }

  #onNews(news: TabNews): void {
    switch (news.type) {
      case 'busy':
        return this.#otherTurn.follow();
      case 'free':
        return this.#otherTurn.end();
      case 'saved':
        return void this.resume();
      case 'erased':
        return this.#applyErasure(news.erasureCount, news.successor);
      case 'logged-out':
        return void this.#onLoggedOut(news.erasureCount);
    }
  }

  /** The visitor has logged out in another tab. */
  async #onLoggedOut(erasureCount: number | null): Promise<void> {
    const wasIdentified = this.#visitor.forgetContact();
    if (erasureCount !== null) this.#applyErasure(erasureCount);
    else if (wasIdentified) await this.#erase();
  }

  /** Another tab has erased the record. */
  #applyErasure(erasureCount: number, successor?: string): void {
    if (!this.#archive.applyErasure(erasureCount, successor)) void this.resume();
  }
}
