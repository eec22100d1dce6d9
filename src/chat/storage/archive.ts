/** Keeps a conversation's stored record in step with its state: the pair, the transcript, the draft. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { isExpired } from './peek.ts';
import { decodeRecord, mergeMessages, messagesToKeep, restoreRecord, type StoredRecord } from './record.ts';
import { liveReply, type ConversationState } from '../state/state.ts';
import type { ConversationStorage } from './storage.ts';
import type { Store } from '../state/store.ts';

export interface ArchiveOptions {
  key: string;
  storage: ConversationStorage;
  clock: Clock;
  store: Store<ConversationState, ChatEvent>;
  /** The transcript or the pair has been written. */
  onSaved: () => void;
}

/** Events that change nothing that a record holds. */
const unkept = new Set<ChatEvent['type']>(['restored', 'cleared', 'locked', 'form-drafted', 'form-drafts-dropped']);
/** Events that change what a record holds beyond the draft. */
const transient = new Set<ChatEvent['type']>(['draft-changed', 'other-tab-changed']);
/** Events that may come many times a second, and are written at most once in this many milliseconds. */
const hasty = new Set<ChatEvent['type']>(['draft-changed', 'text-added']);
const delay = 1000;

export class Archive {
  /** Proves the conversation to the service; nothing but a request carries it out of here. */
  token: string | null = null;
  /** See `StoredRecord.owner`. */
  owner: string | null = null;
  #startedAt: number | null = null;
  #revision = 0;
  #isChanged = false;
  #isDirty = false;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** The record may be gone from under us, and its list of calls with it. */
  readonly #claimed = new Set<string>();
  readonly #options: ArchiveOptions;
  readonly #unsubscribe: () => void;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((_state, event) => this.#note(event));
  }

  /** The stored record when there is one that is alive; what has expired is deleted unread. */
  async load(): Promise<StoredRecord | null> {
    const { storage, key, clock } = this.#options;
    const value = await storage.load(key);
    const record = decodeRecord(value, clock.now());
    if (value !== undefined && !record) await storage.update(key, () => undefined);
    return record;
  }

  /** Deletes the expired records of other agents and keys. */
  async prune(): Promise<void> {
    const now = this.#options.clock.now();
    await this.#options.storage.prune((value) => {
      const startedAt = (value as Partial<StoredRecord> | null)?.startedAt;
      return typeof startedAt === 'number' && isExpired(startedAt, now);
    });
  }

  /** Shows a record that was loaded. */
  adopt(record: StoredRecord): void {
    this.token = record.conversationToken;
    this.owner = record.owner;
    this.#startedAt = record.startedAt;
    this.#revision = record.revision;
    this.#options.store.dispatch({ type: 'restored', conversation: restoreRecord(record), draft: record.draft });
  }

  /** Whether the stored record is newer than what this tab knows. */
  isBehind(record: StoredRecord): boolean {
    return record.revision !== this.#revision;
  }

  /** The visitor has typed or sent something: from here a record is kept. */
  begin(): void {
    this.#startedAt ??= this.#options.clock.now();
  }

  /** A conversation that is yet to start lives from its first message, not from its first draft. */
  beginConversation(): void {
    if (this.#options.store.state.conversationId === null) this.#startedAt = this.#options.clock.now();
    this.begin();
  }

  /** Forgets the pair: the next message starts a conversation of its own. */
  forgetCredentials(): void {
    this.token = null;
    this.#startedAt = this.#options.clock.now();
  }

  /** What a request needs to continue the conversation; null while there is none. */
  get pair(): { conversationId: string; token: string } | null {
    const { conversationId } = this.#options.store.state;
    return conversationId && this.token ? { conversationId, token: this.token } : null;
  }

  /** Knows nothing more of the record, which another tab has deleted. */
  abandon(): void {
    this.token = null;
    this.owner = null;
    this.#startedAt = null;
    this.#revision = 0;
    this.#cancelTimer();
    this.#isDirty = this.#isChanged = false;
  }

  /** Deletes the record. */
  async erase(): Promise<void> {
    this.abandon();
    await this.#writing;
    await this.#options.storage.update(this.#options.key, () => undefined);
  }

  /** Takes a client tool call up; false when it was taken before. */
  async claim(callId: string): Promise<boolean> {
    let isFirst = !this.#claimed.has(callId);
    this.#claimed.add(callId);
    await this.flush();
    await this.#options.storage.update(this.#options.key, (value) => {
      const record = decodeRecord(value, this.#options.clock.now());
      if (!record) return value;
      isFirst &&= !record.calls.includes(callId);
      return { ...record, calls: [...record.calls, callId].slice(-100) };
    });
    return isFirst;
  }

  /** Settles when everything known by now is written. */
  flush(): Promise<void> {
    this.#cancelTimer();
    if (this.#isDirty) {
      this.#isDirty = false;
      this.#writing = this.#writing.then(() => this.#write());
    }
    return this.#writing;
  }

  /** Settles when the last of it is written. */
  close(): Promise<void> {
    this.#unsubscribe();
    return this.flush();
  }

  #note(event: ChatEvent): void {
    if (unkept.has(event.type)) return;
    if (event.type === 'draft-changed') this.begin();
    this.#isDirty = true;
    this.#isChanged ||= !transient.has(event.type);
    const isHasty = hasty.has(event.type);
    if (isHasty && this.#cancel) return;
    this.#cancelTimer();
    // What happens in one moment is written at once.
    this.#cancel = this.#options.clock.after(isHasty ? delay : 0, () => void this.flush());
  }

  /** What another tab has said while this one was not looking, such as one that slept through it. */
  #showShared(stored: StoredRecord, record: StoredRecord): void {
    const { store } = this.#options;
    const { state } = store;
    this.token = record.conversationToken;
    const live = liveReply(state)?.key;
    const messages = mergeMessages(stored.messages, state.messages).filter(({ key }) => key !== live);
    const conversation = restoreRecord({ ...record, messages });
    store.dispatch({ type: 'restored', conversation, draft: state.draft });
  }

  #cancelTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  async #write(): Promise<void> {
    const { storage, key, clock, store, onSaved } = this.#options;
    const isChanged = this.#isChanged;
    this.#isChanged = false;
    await storage.update(key, (value) => {
      const startedAt = this.#startedAt;
      if (startedAt === null) return value;
      // As it is now: another tab's news may have come while the transaction was waited for.
      const { state } = store;
      const stored = decodeRecord(value, clock.now());
      // What is only shown of another tab's turn is not what it has said: that stays as it is.
      if (stored && !isChanged) return { ...stored, draft: state.draft };
      const isForeign = stored !== null && stored.revision !== this.#revision;
      const own = messagesToKeep(state);
      // A tab whose first turn was taken over has none yet, and belongs to the one that has begun meanwhile.
      const isBegunElsewhere = isForeign && state.conversationId === null;
      const isShared =
        isForeign &&
        (isBegunElsewhere || stored.conversationId === state.conversationId) &&
        // What somebody has said is nobody else's.
        (stored.owner === null || stored.owner === this.owner);
      this.#revision = Math.max(this.#revision, stored?.revision ?? 0) + (isChanged ? 1 : 0);
      const record: StoredRecord = {
        version: 1,
        revision: this.#revision,
        startedAt,
        conversationId: isShared ? stored.conversationId : state.conversationId,
        conversationToken: isShared ? stored.conversationToken : this.token,
        owner: this.owner,
        state: state.state,
        messages: isShared ? mergeMessages(stored.messages, own) : own,
        draft: state.draft,
        unread: state.unread,
        submitted: isShared ? { ...stored.submitted, ...state.submitted } : state.submitted,
        calls: stored?.calls ?? [],
      };
      // Before the proof that it is this visitor's, nothing of it may be seen.
      if (isShared && state.status !== 'locked') this.#showShared(stored, record);
      return record;
    });
    if (isChanged) onSaved();
  }
}
