/** Persists the conversation: writes its credentials, transcript and draft to the stored record. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { isExpired } from './peek.ts';
import { decodeRecord, mergeMessages, messagesToStore, restoreRecord, type StoredRecord } from './record.ts';
import { liveReply, type ConversationState } from '../state/state.ts';
import type { ConversationStorage } from './storage.ts';
import type { Store } from '../state/store.ts';

export interface ArchiveOptions {
  key: string;
  storage: ConversationStorage;
  clock: Clock;
  store: Store<ConversationState, ChatEvent>;
  /** Called when the transcript or the credentials were written. */
  onSaved: () => void;
}

/** Events that change nothing in the record. */
const ignoredEvents = new Set<ChatEvent['type']>([
  'restored',
  'cleared',
  'locked',
  'form-drafted',
  'form-drafts-dropped',
]);
/** Events that change only the draft in the record, or nothing. */
const draftEvents = new Set<ChatEvent['type']>(['draft-changed', 'other-tab-changed']);
/** Events that occur many times a second. They are written at most once in `delay` milliseconds. */
const debouncedEvents = new Set<ChatEvent['type']>(['draft-changed', 'text-added']);
const delay = 1000;

export class Archive {
  /** The secret part of the credentials. Only requests to the service carry it. */
  token: string | null = null;
  /** See `StoredRecord.owner`. */
  owner: string | null = null;
  #startedAt: number | null = null;
  #revision = 0;
  #hasNewRevision = false;
  #isDirty = false;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** The calls that this tab has claimed, in case the record with its own list is deleted. */
  readonly #claimed = new Set<string>();
  readonly #options: ArchiveOptions;
  readonly #unsubscribe: () => void;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((_state, event) => this.#onEvent(event));
  }

  /** Reads the stored record. Deletes an expired one and returns null. */
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

  /** Restores a record into the state. */
  restore(record: StoredRecord): void {
    this.token = record.conversationToken;
    this.owner = record.owner;
    this.#startedAt = record.startedAt;
    this.#revision = record.revision;
    this.#options.store.dispatch({ type: 'restored', conversation: restoreRecord(record), draft: record.draft });
  }

  /** Whether the stored record is newer than the state of this tab. */
  isOutdatedBy(record: StoredRecord): boolean {
    return record.revision !== this.#revision;
  }

  /** Starts the record: the visitor has typed or sent something. */
  startRecord(): void {
    this.#startedAt ??= this.#options.clock.now();
  }

  /** Starts the lifetime of a new conversation with its first message, not with its first draft. */
  startConversation(): void {
    if (this.#options.store.state.conversationId === null) this.#startedAt = this.#options.clock.now();
    this.startRecord();
  }

  /** Removes the credentials, so that the next message starts a new conversation. */
  forgetCredentials(): void {
    this.token = null;
    this.#startedAt = this.#options.clock.now();
  }

  /** The credentials of the conversation, or null while there are none. */
  get credentials(): { conversationId: string; token: string } | null {
    const { conversationId } = this.#options.store.state;
    return conversationId && this.token ? { conversationId, token: this.token } : null;
  }

  /** Disconnects from a record that another tab has deleted. */
  detach(): void {
    this.token = null;
    this.owner = null;
    this.#startedAt = null;
    this.#revision = 0;
    this.#cancelTimer();
    this.#isDirty = this.#hasNewRevision = false;
  }

  /** Deletes the record. */
  async erase(): Promise<void> {
    this.detach();
    await this.#writing;
    await this.#options.storage.update(this.#options.key, () => undefined);
  }

  /** Claims a client tool call for this tab. Returns false when it was claimed before, in any tab. */
  async claimToolCall(callId: string): Promise<boolean> {
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

  /** Settles when the current state is written. */
  flush(): Promise<void> {
    this.#cancelTimer();
    if (this.#isDirty) {
      this.#isDirty = false;
      this.#writing = this.#writing.then(() => this.#write());
    }
    return this.#writing;
  }

  /** Stops following the state. Settles when the last change is written. */
  close(): Promise<void> {
    this.#unsubscribe();
    return this.flush();
  }

  #onEvent(event: ChatEvent): void {
    if (ignoredEvents.has(event.type)) return;
    if (event.type === 'draft-changed') this.startRecord();
    this.#isDirty = true;
    this.#hasNewRevision ||= !draftEvents.has(event.type);
    const isDebounced = debouncedEvents.has(event.type);
    if (isDebounced && this.#cancel) return;
    this.#cancelTimer();
    // Events of the same task are written together.
    this.#cancel = this.#options.clock.after(isDebounced ? delay : 0, () => void this.flush());
  }

  /** Merges the record of another tab into the state, for example after this tab was frozen. */
  #showMerged(stored: StoredRecord, record: StoredRecord): void {
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
    const hasNewRevision = this.#hasNewRevision;
    this.#hasNewRevision = false;
    await storage.update(key, (value) => {
      const startedAt = this.#startedAt;
      if (startedAt === null) return value;
      // Read the state now: news of another tab may have arrived while the transaction was pending.
      const { state } = store;
      const stored = decodeRecord(value, clock.now());
      // Without changes of its own, this tab must not overwrite what another tab has written.
      if (stored && !hasNewRevision) return { ...stored, draft: state.draft };
      const isForeign = stored !== null && stored.revision !== this.#revision;
      const own = messagesToStore(state);
      // A tab without a conversation joins the one that another tab has started meanwhile.
      const isStartedInOtherTab = isForeign && state.conversationId === null;
      const isShared =
        isForeign &&
        (isStartedInOtherTab || stored.conversationId === state.conversationId) &&
        // Never merge the record of another visitor.
        (stored.owner === null || stored.owner === this.owner);
      this.#revision = Math.max(this.#revision, stored?.revision ?? 0) + (hasNewRevision ? 1 : 0);
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
      // Show nothing of a locked record.
      if (isShared && state.status !== 'locked') this.#showMerged(stored, record);
      return record;
    });
    if (hasNewRevision) onSaved();
  }
}
