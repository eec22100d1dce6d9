/** Persists the conversation: reads its record, merges it with the other tabs' changes, writes it, and erases it. */
import type { Clock } from '../../api/clock.ts';
import type { ChatEvent } from '../state/chat-event.ts';
import { reduce } from '../state/reduce.ts';
import { joinDrafts } from '../state/messages.ts';
import type { ConversationState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import type { Epoch, Erasure } from './erasure-intent.ts';
import type { Erasures } from './erasures.ts';
import { appliesTo, draftToStore, isDraftSent, isErased, mergeRecord, newestAt } from './merge.ts';
import { isExpired } from './peek.ts';
import {
  decodeEntry,
  isRecord,
  messagesToStore,
  restoreRecord,
  toTombstone,
  type StoredRecord,
  type Tombstone,
} from './record.ts';
import type { GuardedStorage } from './storage.ts';
import { openForms, type SavedDrafts, type TabDrafts } from './tab-drafts.ts';

export interface ArchiveOptions {
  key: string;
  storage: GuardedStorage;
  erasures: Erasures;
  drafts: TabDrafts;
  clock: Clock;
  createId: () => string;
  store: Store<ConversationState, ChatEvent>;
  /** Called when the transcript or the credentials were written. */
  onSaved(): void;
  /** Called when the record has been erased for all tabs. */
  onEnded(erasure: Erasure): void;
  /** Called when the record was erased in another tab, before anything of the next one is used. */
  onErased(): void;
  /** Called when another tab has assigned the record to a verified visitor. */
  onClaimed(owner: string): void;
}

/** Events that change nothing in the record. */
const ignoredEvents = new Set<ChatEvent['type']>(['restored', 'cleared', 'locked', 'form-drafted']);
/** Events that change only the draft in the record, or nothing. */
const draftEvents = new Set<ChatEvent['type']>(['draft-changed', 'other-tab-changed']);
/** Events that occur many times a second. They are written at most once in `delay` milliseconds. */
const debouncedEvents = new Set<ChatEvent['type']>(['draft-changed', 'text-added']);
const delay = 1000;

const importErase = () => import('./erase.ts');

const noEpoch: Epoch = { epoch: null, previous: null };

/** Returns the epoch of an entry without its content, which must not get into an erasure. */
const toEpoch = ({ epoch, previous }: Epoch): Epoch => ({ epoch, previous });

/** Whether an erasure that is not durable yet applies to the stored entry, or has at least deleted it. */
const isPending = (erasure: Erasure, stored: Epoch | null): boolean =>
  !erasure.isOwnedOnly && (stored === null || appliesTo(erasure, stored));

const hasContent = ({ messages, queued, draft }: ConversationState): boolean =>
  messages.length > 0 || queued.length > 0 || draft !== '';

export class Archive {
  /** The secret part of the credentials. Only requests to the service carry it. */
  token: string | null = null;
  readonly #options: ArchiveOptions;
  #owner: string | null = null;
  #epoch: Epoch = noEpoch;
  #isOpen = false;
  /** Counts the epochs that this tab has entered. What was read in an earlier one is out of date. */
  #generation = 0;
  /** The record as this tab has read or written it last. */
  #base: StoredRecord | null = null;
  #startedAt: number | null = null;
  /** The draft that this tab has written to the record, or taken from it, last. */
  #sharedDraft = '';
  /** The conversation that is locked, until its owner is proven or it is erased. */
  #held: ConversationState | null = null;
  #hasNewRevision = false;
  #isDirty = false;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #erasing: Promise<void> = Promise.resolve();
  /** The calls that this tab has claimed, in case the record with its own list is deleted. */
  readonly #claimedCalls = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#unsubscribe = options.store.subscribe((state, event, previous) => {
      this.#onEvent(event);
      if (state.formDrafts !== previous.formDrafts || state.submitted !== previous.submitted) this.saveDrafts();
    });
  }

  /** See `StoredRecord.owner`. */
  get owner(): string | null {
    return this.#owner;
  }

  /** The id of the conversation that is locked, or null. */
  get heldConversationId(): string | null {
    return this.#held?.conversationId ?? null;
  }

  /** The credentials of the conversation, or null while there are none. */
  get credentials(): { conversationId: string; token: string } | null {
    const { conversationId } = this.#options.store.state;
    return conversationId && this.token ? { conversationId, token: this.token } : null;
  }

  /** Reads the record for the first time, after an erasure that an earlier page could not complete. */
  async open(): Promise<StoredRecord | null> {
    const { key, storage, erasures } = this.#options;
    const erasure = erasures.get(key);
    if (erasure) await this.#completeErasure(erasure);
    if (erasure && isExpired(erasure.erasedAt, this.#options.clock.now())) erasures.clear(key, erasure.epoch);
    const generation = this.#generation;
    const entry = decodeEntry(await storage.load(key), this.#options.clock.now());
    this.#isOpen = true;
    // Erased meanwhile.
    if (generation !== this.#generation) return null;
    const left = erasures.get(key);
    const opened = left && isPending(left, entry) ? toTombstone(left, entry) : entry;
    this.#enter(opened, true);
    return isRecord(opened) ? opened : null;
  }

  /** Reads the record again. Returns null when there is none, or this tab has just learned that it was erased. */
  async load(): Promise<StoredRecord | null> {
    const { key, storage } = this.#options;
    const generation = this.#generation;
    const value = await storage.load(key);
    if (generation !== this.#generation) return this.load();
    return this.#admit(value);
  }

  /** Merges a record into the state. */
  restore(record: StoredRecord): void {
    const { store, drafts, key } = this.#options;
    const { state } = store;
    const base = this.#base;
    const saved = base ? null : drafts.read(key, record.epoch);
    this.#owner = record.owner;
    const merged = mergeRecord(record, base, this.#toRecord(state, record.epoch));
    this.#startedAt = merged.startedAt;
    const draft = base ? this.#remainingDraft(record, state) : joinDrafts(this.#savedDraft(record, saved), state.draft);
    if (!base) this.#sharedDraft = record.draft;
    this.#base = record;
    this.#show(merged, draft, saved?.forms);
  }

  /** Returns the draft of an earlier page of this tab, or else the record's. */
  #savedDraft(record: StoredRecord, saved: SavedDrafts | null): string {
    if (!saved?.draft) return record.draft;
    return isDraftSent(saved.draft, record.messages, saved.newestAt) ? '' : saved.draft;
  }

  /** Returns the draft of this tab, unless another tab has sent it. */
  #remainingDraft({ messages }: StoredRecord, { draft, messages: own }: ConversationState): string {
    const others = messages.filter(({ key }) => !own.some((message) => message.key === key));
    const isSent = draft === this.#sharedDraft && isDraftSent(draft, others, newestAt(this.#base?.messages ?? []));
    return isSent ? '' : draft;
  }

  /** Restores the draft of this tab while no record is shown. */
  restoreDraft(): void {
    const { store, drafts, key } = this.#options;
    const saved = drafts.read(key, this.#epoch.epoch);
    if (saved?.draft && saved.owner === null && !store.state.draft) {
      store.dispatch({ type: 'draft-changed', draft: saved.draft });
    }
  }

  /** Writes the drafts of this tab synchronously. The page may be about to end. */
  saveDrafts(): void {
    const { store, drafts, key } = this.#options;
    const { state } = store;
    if (state.status === 'loading') return;
    if (state.status === 'locked') {
      // The record is of another visitor: what was typed or sent meanwhile returns to the composer.
      const texts = [...state.messages, ...state.queued].map((message) =>
        message.role === 'user' ? message.text : '',
      );
      const draft = [...texts, state.draft].reduce(joinDrafts, '');
      if (draft) drafts.write(key, { epoch: this.#epoch.epoch, owner: null, draft, newestAt: 0, forms: {} });
      return;
    }
    const { draft, messages } = state;
    drafts.write(key, {
      epoch: this.#epoch.epoch,
      owner: this.#owner,
      draft,
      newestAt: newestAt(messages),
      forms: openForms(state),
    });
  }

  /** Whether the record is newer than the state of this tab. */
  isOutdatedBy({ revision }: StoredRecord): boolean {
    return revision !== this.#base?.revision;
  }

  /** Deletes the expired records of all agents and keys, and old tombstones. */
  async prune(): Promise<void> {
    const loaded = await importErase().catch(() => null);
    await loaded?.pruneStorage(this.#options);
  }

  /** Starts the lifetime of a new conversation with its first message, not with its first draft. */
  startConversation(): void {
    if (this.#options.store.state.conversationId === null) this.#startedAt = this.#options.clock.now();
  }

  /** Removes the credentials, so that the next message starts a new conversation. */
  forgetCredentials(): void {
    this.token = null;
    this.#startedAt = this.#options.clock.now();
  }

  /** Assigns the conversation, with its drafts and undelivered messages, to a verified visitor. */
  claim(owner: string): void {
    if (owner === this.#owner) return;
    this.#owner = owner;
    if (this.hasContent) this.#schedule(true);
  }

  /** Whether there is anything to store. */
  get hasContent(): boolean {
    return hasContent(this.#options.store.state);
  }

  /**
   * Hides the conversation of `owner`. What is typed from now on is kept apart from it.
   * @returns Whether it was shown before.
   */
  lock(owner = this.#owner): boolean {
    const { store } = this.#options;
    const { state } = store;
    this.#owner = owner;
    if (state.status === 'locked' || owner === null) return false;
    this.#held = state.status === 'loading' ? null : state;
    store.dispatch({ type: 'locked' });
    return this.#held !== null;
  }

  /** Applies an event to the conversation that is locked. */
  changeHeld(change: (state: ConversationState) => ConversationState): void {
    if (this.#held) this.#held = change(this.#held);
  }

  /** Shows the conversation that was locked, because its owner is proven. */
  async unlock(): Promise<void> {
    const { store } = this.#options;
    const record = await this.load();
    if (store.state.status !== 'locked') return;
    const held = this.#held;
    this.#held = null;
    store.dispatch({ type: 'unlocked', held });
    if (record && this.isOutdatedBy(record)) this.restore(record);
    if (this.hasContent) this.#schedule(true);
  }

  /**
   * Forgets the record, and erases it for every tab. The state has been cleared before.
   * @returns The erasure, and a promise that settles when it is durable.
   */
  erase(): { erasure: Erasure; done: Promise<void> } {
    const { clock, createId, erasures, key, storage } = this.#options;
    const pending = erasures.get(key);
    // Before the record is read, any epoch is erased. An erasure that is not durable yet has changed no stored epoch.
    const isAny = !this.#isOpen || (pending !== null && pending.known === null);
    const known = isAny ? null : [...(pending?.known ?? []), this.#epoch];
    const erasure: Erasure = { epoch: createId(), known, erasedAt: clock.now() };
    erasures.set(key, erasure);
    const tombstone = toTombstone(erasure, null);
    this.#enter(tombstone);
    void storage.eraseCopy(key, tombstone);
    this.#erasing = this.#completeErasure(erasure);
    return { erasure, done: this.#erasing };
  }

  /** Whether an erasure by another tab ends the epoch of this tab. */
  isEndedBy(erasure: Erasure): boolean {
    return appliesTo(erasure, this.#epoch);
  }

  /** Forgets the record, which another tab has erased. The state has been cleared before. */
  async enterEpoch(erasure: Erasure): Promise<void> {
    const tombstone = toTombstone(erasure, this.#epoch);
    this.#enter(tombstone);
    await this.#options.storage.eraseCopy(this.#options.key, tombstone);
  }

  /** Claims a client tool call for this tab. Returns false when it was claimed before, in any tab. */
  async claimToolCall(callId: string): Promise<boolean> {
    const { key, storage } = this.#options;
    let isFirst = !this.#claimedCalls.has(callId);
    this.#claimedCalls.add(callId);
    await this.flush();
    await storage.update(key, (value) => {
      const record = this.#admit(value);
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

  /** Stops following the state. Settles when the last change is written, and the other tabs know of an erasure. */
  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.all([this.flush(), this.#erasing]);
  }

  #onEvent(event: ChatEvent): void {
    if (ignoredEvents.has(event.type)) return;
    this.#schedule(!draftEvents.has(event.type), debouncedEvents.has(event.type));
  }

  #schedule(hasNewRevision: boolean, isDebounced = false): void {
    this.#isDirty = true;
    this.#hasNewRevision ||= hasNewRevision;
    if (isDebounced && this.#cancel) return;
    this.#cancelTimer();
    // Events of the same task are written together.
    this.#cancel = this.#options.clock.after(isDebounced ? delay : 0, () => void this.flush());
  }

  #cancelTimer(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Makes an erasure durable. While the code cannot be loaded, the intent to erase counts as the erasure. */
  async #completeErasure(erasure: Erasure): Promise<void> {
    const loaded = await importErase().catch(() => null);
    await loaded?.completeErasure(erasure, this.#options);
    // What was read before the erasure is out of date.
    this.#generation++;
    this.#options.onEnded(erasure);
  }

  /** Forgets everything that belongs to another epoch, and starts with a stored entry. */
  #enter(entry: StoredRecord | Tombstone | null, isFirst = false): void {
    const { drafts, key, store } = this.#options;
    if (!isFirst) drafts.write(key, null);
    this.#generation++;
    this.#epoch = toEpoch(entry ?? noEpoch);
    this.token = this.#owner = this.#base = this.#startedAt = this.#held = null;
    this.#sharedDraft = '';
    this.#cancelTimer();
    this.#isDirty = this.#hasNewRevision = false;
    // What a visitor has typed while the conversation of another one was locked belongs to the new epoch.
    if (hasContent(store.state)) this.#schedule(true);
  }

  /** Returns the stored record if this tab may use it. Everything that this tab knows of an erased one is forgotten. */
  #admit(value: unknown): StoredRecord | null {
    const { clock, erasures, key, onErased } = this.#options;
    const stored = decodeEntry(value, clock.now());
    const erasure = erasures.get(key);
    // An erasure that is not durable yet counts as one that is.
    const entry = erasure && isPending(erasure, stored) ? toTombstone(erasure, stored) : stored;
    if (!entry) this.#expire();
    else if (isErased(this.#epoch, entry)) {
      onErased();
      this.#enter(entry);
    } else this.#epoch = toEpoch(entry);
    return isRecord(entry) ? entry : null;
  }

  /** Forgets a record that has expired, or that was removed with the site's data. Undelivered text stays for the next one. */
  #expire(): void {
    if (!this.#base) return;
    this.#epoch = noEpoch;
    this.token = this.#base = this.#startedAt = null;
    this.#options.store.dispatch({ type: 'expired' });
  }

  /** Returns the record of this tab's own state. */
  #toRecord(state: ConversationState, epoch: string): StoredRecord {
    const { clock } = this.#options;
    return {
      version: 1,
      epoch,
      previous: this.#epoch.previous,
      revision: this.#base?.revision ?? 0,
      startedAt: (this.#startedAt ??= clock.now()),
      conversationId: state.conversationId,
      conversationToken: this.token,
      owner: this.#owner,
      state: state.state,
      messages: messagesToStore(state),
      draft: state.draft,
      unread: state.unread,
      submitted: state.submitted,
      calls: [],
    };
  }

  async #write(): Promise<void> {
    const { storage, key, createId, onSaved, store } = this.#options;
    const hasNewRevision = this.#hasNewRevision;
    this.#hasNewRevision = false;
    const newEpoch = createId();
    let written: StoredRecord | null = null;
    let draft = '';
    await storage.update(key, (value) => {
      written = this.#change(value, newEpoch, hasNewRevision);
      ({ draft } = this.#held ?? store.state);
      return written ?? value;
    });
    if (!written) return;
    this.#base = written;
    this.#epoch = toEpoch(written);
    this.#sharedDraft = draft;
    if (hasNewRevision) onSaved();
  }

  /** Returns the record to write in place of `value`, or null when this tab may not write, or has nothing to write. */
  #change(value: unknown, newEpoch: string, hasNewRevision: boolean): StoredRecord | null {
    const { store, onClaimed } = this.#options;
    const generation = this.#generation;
    const stored = this.#admit(value);
    if (generation !== this.#generation) return null;
    if (stored && stored.owner !== null && stored.owner !== this.#owner) {
      onClaimed(stored.owner);
      return null;
    }
    // Read the state now: news of another tab may have arrived while the transaction was pending.
    const state = this.#held ?? store.state;
    if (state.status === 'loading' || state.status === 'locked' || (!stored && !hasContent(state))) return null;
    const own = this.#toRecord(state, stored?.epoch ?? this.#epoch.epoch ?? newEpoch);
    const merged = mergeRecord(stored, this.#base, own);
    const draft = draftToStore(stored?.draft ?? '', this.#sharedDraft, state.draft);
    const record = { ...merged, draft, revision: merged.revision + (hasNewRevision ? 1 : 0) };
    if (stored && this.isOutdatedBy(stored)) this.#show(record, this.#remainingDraft(stored, state));
    return record;
  }

  /** Shows a merged record in the state. */
  #show(record: StoredRecord, draft: string, formDrafts: ConversationState['formDrafts'] = {}): void {
    this.token = record.conversationToken;
    const restored = { type: 'restored', conversation: restoreRecord(record), draft, formDrafts } as const;
    if (this.#held) this.#held = reduce(this.#held, restored);
    else this.#options.store.dispatch(restored);
  }
}
