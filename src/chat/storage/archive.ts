/** Persists the conversation: reads its record, merges it with the other tabs' changes, writes it, and erases it. */
import type { ChatEvent, Kept } from '../state/chat-event.ts';
import { joinDrafts } from '../state/messages.ts';
import { hasContent, type ConversationState } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { TabErasures } from './erasures.ts';
import { HeldState } from '../state/held-state.ts';
import { isUnchanged, mergeRecord } from './merge.ts';
import { isExpired, type Erasures } from './peek.ts';
import * as records from './record.ts';
import type { StoredRecord } from './record.ts';
import * as tabDrafts from './tab-drafts.ts';
import type { Drafts, TabDrafts } from './tab-drafts.ts';
import { eraseRecord, moveFormerRecord, type UpkeepOptions } from './upkeep.ts';
import { WriteSchedule } from './write-schedule.ts';

export interface ArchiveOptions extends UpkeepOptions {
  erasures: Erasures;
  drafts: TabDrafts;
  createId: () => string;
  store: Store<ConversationState, ChatEvent>;
  /** Returns the owner of what is typed now, if they are proven. */
  typist(): string | null;
  /** Called when the record was read for the first time. From then on this tab writes it. Null when there is none. */
  onRead(record: StoredRecord | null): void;
  /** Called when the record was written. */
  onSaved(): void;
  /** Called when the record was erased in another tab, before anything of the next one is used. */
  onErased(): void;
  /** Called when another tab has assigned the record to a verified visitor. */
  onClaimed(owner: string): void;
}

export class Archive {
  /** The id of this tab: see `VisitorMessage.tab`. */
  readonly tab: string;
  /** See `StoredRecord.owner`. Change it with `claim` and `lock`. */
  owner: string | null = null;
  /** The conversation that is locked. */
  readonly held: HeldState;
  readonly #options: ArchiveOptions;
  /** The secret part of the credentials. Only requests to the service carry it. */
  #token: string | null = null;
  readonly #writes: WriteSchedule;
  readonly #erasures: TabErasures;
  /** The base from which a record was read. A record from an earlier one is out of date: a write has merged it since. */
  readonly #baseOf = new WeakMap<StoredRecord, StoredRecord | null>();
  #opening: Promise<void> | null = null;
  /** The record as this tab has read or written it last. */
  #base: StoredRecord | null = null;
  #startedAt: number | null = null;
  /** The owner to whom this tab has left the record, until it uses the record again. */
  #leftOwner: string | null = null;
  readonly #drafts: tabDrafts.DraftBox;
  #erasing: Promise<void> = Promise.resolve();
  readonly #unsubscribe: () => void;

  constructor(options: ArchiveOptions) {
    const { clock, createId, erasures, key, store } = options;
    this.#options = options;
    this.tab = createId();
    this.held = new HeldState(store);
    this.#erasures = new TabErasures(key, erasures);
    this.#drafts = new tabDrafts.DraftBox(options.drafts, this.#erasures.count);
    this.#writes = new WriteSchedule(clock, () => this.#write());
    this.#unsubscribe = store.subscribe((state, event, previous) => {
      this.#writes.onChange(state, event, previous, this.#expiredStart !== null);
      if (tabDrafts.changesDrafts(state, previous)) this.saveDrafts();
    });
  }

  /** The credentials of the conversation, or null while there are none. */
  get credentials(): { conversationId: string; token: string } | null {
    const { conversationId } = this.#options.store.state;
    return conversationId && this.#token ? { conversationId, token: this.#token } : null;
  }

  /** Reads the record for the first time: see `ArchiveOptions.onRead`. The record may arrive after the chat is shown. */
  open(): Promise<void> {
    return (this.#opening ??= this.#readFirst());
  }

  async #readFirst(): Promise<void> {
    const { clock, key, onRead, storage, store } = this.#options;
    const loaded = await storage.load(key).catch(() => undefined);
    const former = loaded ? null : await moveFormerRecord(this.#options);
    const record = this.#admit(loaded ?? former?.entry);
    if (record && former?.draft) this.#drafts.add(record.owner, { ...tabDrafts.emptyDrafts, text: former.draft });
    if (former) this.saveDrafts();
    const notice = record || this.#erasures.isPending ? null : records.findExpired(loaded, clock.now());
    // An earlier page could not complete its erasure.
    if (this.#erasures.isPending) void eraseRecord(this.#options, this.#erasures.count);
    onRead(record);
    if (notice) store.dispatch({ type: 'notice-added', ...notice });
    this.#writes.start();
  }

  /** Reads the record again, whenever the storage responds. Returns null when there is none, or none that is newer than the state. */
  async load(): Promise<StoredRecord | null> {
    const { key, storage } = this.#options;
    if (this.#expiredStart !== null) this.#expire();
    const base = this.#base;
    const value = await storage.load(key);
    if (!this.#erasures.isOpen || this.#base !== base) return null;
    const record = this.#admit(value);
    if (!record || record.revision === this.#base?.revision) return null;
    this.#baseOf.set(record, this.#base);
    return record;
  }

  /** Merges a record into the state, unless it was erased or written since it was read. */
  restore(record: StoredRecord): void {
    if (record.erasureCount !== this.#erasures.count || (this.#baseOf.get(record) ?? null) !== this.#base) return;
    const drafts = this.#base ? tabDrafts.emptyDrafts : this.#drafts.restore(record.owner);
    // What a verified visitor has written in this tab stays theirs beside an anonymous conversation of another one.
    this.owner = record.owner ?? (hasContent(this.held.current) ? this.owner : null);
    const messages = tabDrafts.markBegun(record.messages, drafts.begun, this.tab);
    const own = this.#toRecord(this.#options.store.state);
    const merged = mergeRecord({ ...record, messages }, this.#base, own, this.tab);
    this.#startedAt = merged.startedAt;
    this.#startFrom(record);
    this.#show(merged, drafts);
    // The record learns what the storage had no time to take.
    if (drafts.begun.length > 0) this.#writes.add();
  }

  /** Shows an owner's drafts of an earlier page, or nobody's. The record that is read first restores its own owner's. */
  restoreDraft(owner: string | null): void {
    if (!this.#erasures.isOpen) return;
    const { store } = this.#options;
    const drafts = this.#drafts.restore(owner);
    const draft = joinDrafts(tabDrafts.composerText(drafts, this.#base?.messages ?? []), store.state.draft);
    if (draft !== store.state.draft) store.dispatch({ type: 'draft-changed', draft });
  }

  /** Reads what other pages of this tab have saved. Returns a function that shows it in place of what this page has. */
  rereadDrafts(): () => void {
    const { store, typist } = this.#options;
    const { draft, status } = store.state;
    const saved = this.#drafts.reread(this.#erasures.count, status === 'locked' ? typist() : this.owner);
    return () => {
      // The record may have been erased since, or may be of somebody else.
      if (saved?.erasureCount !== this.#erasures.count || store.state.status !== 'ready') return;
      store.dispatch({ type: 'drafts-replaced', ...tabDrafts.shownDrafts(saved, this.owner, store.state, draft) });
    };
  }

  /** Writes the drafts of this tab synchronously, with the messages that the record lacks. */
  saveDrafts(): void {
    const { store, typist } = this.#options;
    const who = { owner: this.owner, typist: typist() };
    const current = tabDrafts.ownedDrafts(store.state, this.held.current, this.#base?.messages ?? [], who);
    const { count, isOpen } = this.#erasures;
    // Where the page has cleared localStorage, only the record and the drafts have the number.
    this.#drafts.save(isOpen ? count : Math.max(count, this.#drafts.savedCount), current);
  }

  /** Begins the 24 hours of a conversation, before its id is part of the state. Without `token`, the next message starts it. */
  beginConversation(token: string | null): void {
    this.#token = token;
    this.#startedAt = this.#options.clock.now();
  }

  /** Assigns the conversation, with its drafts and undelivered messages, to a verified visitor. */
  claim(owner: string): void {
    if (owner === this.owner) return;
    this.owner = owner;
    this.#drafts.claim(owner);
    this.#writes.add();
    this.saveDrafts();
  }

  /** Whether there is anything that belongs to a visitor, also what they have typed in an earlier page of this tab. */
  get hasContent(): boolean {
    return hasContent(this.#options.store.state) || this.#drafts.hasOwned;
  }

  /** Hides the conversation of `owner`, or of an unknown visitor. What is typed now is kept apart, beside `kept`. */
  lock(owner: string | null, kept: Kept): void {
    this.owner = owner;
    this.held.lock(kept);
  }

  /**
   * Keeps what was typed beside the locked conversation for its author, who is not the visitor any longer.
   * @param before The state until when they were. What was typed since stays in the composer.
   */
  setAside(author: string, before: ConversationState): void {
    const { store } = this.#options;
    const draft = tabDrafts.typedSince(store.state, before);
    this.#drafts.add(author, tabDrafts.draftsOf(before, []));
    store.dispatch({ type: 'locked', kept: 'nothing' });
    store.dispatch({ type: 'draft-changed', draft });
    this.saveDrafts();
  }

  /** Reads the record again, unless the storage takes too long. */
  loadSoon(): Promise<StoredRecord | null> {
    return this.#options.storage.soon(this.load(), null);
  }

  /** Shows the conversation that was locked, because its owner is proven, with what was just read. */
  unlock(record: StoredRecord | null): void {
    this.held.unlock();
    if (record) this.restore(record);
    this.#writes.add();
  }

  /** Erases the record in every tab: see `TabNews`. `done` settles when that is durable. Call it with a cleared state. */
  erase(successor?: string): { erasureCount: number; done: Promise<void> } {
    const erasureCount = this.#erasures.takeNext();
    this.#enter(erasureCount, successor);
    const complete = () => eraseRecord(this.#options, this.#erasures.count, successor);
    this.#erasing = this.#erasures.isOpen ? complete() : this.open().then(complete);
    return { erasureCount, done: this.#erasing };
  }

  /** Forgets what another tab has erased: see `TabNews`. Returns whether this tab had not done so before. */
  applyErasure(erasureCount: number, successor?: string): boolean {
    if (!(erasureCount > this.#erasures.count)) return false;
    const isKept = successor === this.owner;
    if (!isKept) this.#options.onErased();
    this.#enter(erasureCount, successor, isKept);
    return true;
  }

  /** Changes the list of claimed tool calls in the stored record, if this tab may use it. */
  async changeCalls(change: (calls: readonly string[]) => readonly string[]): Promise<void> {
    await this.flush();
    const { storage, key } = this.#options;
    const changed = storage.update(key, (value) => {
      const record = this.#admit(value);
      return record ? { ...record, calls: change(record.calls) } : value;
    });
    await storage.soon(changed, null);
  }

  /** Settles when the current state is written, or the storage takes too long. */
  async flush(): Promise<void> {
    await this.#options.storage.soon(this.#writes.flush(), null);
  }

  /** Stops following the state. Settles when the last change is written. */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#drafts.close();
    await Promise.all([this.flush(), this.#erasing]);
  }

  /** Whether the conversation of this tab is stored nowhere. */
  get hasLeft(): boolean {
    return this.#leftOwner !== null && this.owner === null;
  }

  /** The owner of the stored record, also after this tab has left it. */
  get recordOwner(): string | null {
    return this.owner ?? this.#leftOwner;
  }

  /** Leaves the record to its owner, and goes on by itself. Call it with a cleared state. */
  leave(): void {
    const { current } = this.held;
    // The record may lack what was sent here before.
    if (current !== this.#options.store.state)
      this.#drafts.add(this.owner, tabDrafts.draftsOf(current, this.#base?.messages ?? []));
    this.#leftOwner = this.owner;
    this.#forget();
    this.saveDrafts();
  }

  /** Forgets everything with a smaller number, unless it is kept: then the next write gives it the new one. */
  #enter(erasureCount: number, successor?: string, isKept = false): void {
    this.#erasures.count = erasureCount;
    this.#leftOwner = null;
    if (isKept) this.#base = null;
    else this.#forget();
    this.#drafts.clear(successor);
    // What a visitor has typed while the conversation of another one was locked belongs to the new number.
    if (isKept || hasContent(this.#options.store.state)) this.#writes.add();
    this.saveDrafts();
  }

  /** Forgets the record, with what is locked or to be written. A conversation of its own keeps its credentials. */
  #forget(): void {
    const { conversationId } = this.#options.store.state;
    const isOwn = conversationId !== null && conversationId !== this.#base?.conversationId;
    if (!isOwn) this.#token = this.#startedAt = null;
    this.owner = this.#base = null;
    this.held.clear();
    this.#writes.clear();
  }

  /** Returns the stored record if this tab may use it. Everything that this tab holds of an erased one is forgotten. */
  #admit(value: unknown): StoredRecord | null {
    const entry = records.decodeEntry(value, this.#options.clock.now());
    const stored = records.isRecord(entry) ? entry : null;
    const { current, isErased } = this.#erasures.compare(entry?.erasureCount ?? 0, Boolean(stored?.owner));
    if (isErased) this.applyErasure(current);
    else if (current > this.#erasures.count) {
      this.#erasures.count = current;
      this.#drafts.discard(current);
      this.saveDrafts();
    }
    // What was left is over.
    if (!stored) this.#leftOwner = null;
    const record = !this.hasLeft && stored?.erasureCount === this.#erasures.count ? stored : null;
    if (!record || records.hasReplaced(record, this.#base)) this.#expire();
    return record;
  }

  /** The start of the conversation of this tab, if its 24 hours are over, also while the storage fails. */
  get #expiredStart(): number | null {
    const startedAt = this.#base?.startedAt ?? this.#startedAt;
    return startedAt !== null && isExpired(startedAt, this.#options.clock.now()) ? startedAt : null;
  }

  /** Forgets a conversation that has expired, or whose record was removed with the site's data. Undelivered text stays. */
  #expire(): void {
    const startedAt = this.#expiredStart;
    if (!this.#base && startedAt === null) return;
    this.#token = this.#base = this.#startedAt = null;
    this.held.dispatch({ type: 'expired' });
    if (startedAt !== null) this.held.dispatch({ type: 'notice-added', ...records.expiredNotice({ startedAt }) });
  }

  /** The state of this tab has what a record has, which this tab has read or written. */
  #startFrom(record: StoredRecord): void {
    this.#base = record;
    this.#leftOwner = null;
  }

  /** Returns the record of this tab's own state. A conversation beside the record of its visitor is not continued. */
  #toRecord(state: ConversationState): StoredRecord {
    return {
      ...records.toRecord(state),
      erasureCount: this.#erasures.count,
      revision: '',
      startedAt: this.#startedAt ?? this.#options.clock.now(),
      conversationToken: this.#token,
      owner: this.owner,
      ...(this.#leftOwner !== null && records.noConversation),
    };
  }

  async #write(): Promise<void> {
    const { storage, key, onSaved } = this.#options;
    let written: StoredRecord | null = null;
    const update = storage.update(key, (value) => {
      written = this.#change(value);
      if (written) return written;
      return value !== undefined && this.#erasures.isPending ? records.toTombstone(this.#erasures.count) : value;
    });
    await update.catch(() => void (written = null));
    const record = written as StoredRecord | null;
    if (record?.erasureCount !== this.#erasures.count) return; // Erased while the transaction was being completed.
    this.#startFrom(record);
    // Only what was written begins the 24 hours: a draft may wait for days before it is sent.
    this.#startedAt ??= record.startedAt;
    this.saveDrafts();
    onSaved();
  }

  /** Returns the record to write in place of `value`, or null when this tab may not write, or has nothing to write. */
  #change(value: unknown): StoredRecord | null {
    const erasureCount = this.#erasures.count;
    const stored = this.#admit(value);
    if (erasureCount !== this.#erasures.count || this.hasLeft) return null;
    const { owner } = this;
    if (stored && stored.owner !== null && stored.owner !== owner) {
      this.#options.onClaimed(stored.owner);
      // An anonymous visitor's texts from before belong to the owner, too: a sign-in erases nothing.
      if (owner !== null) return null;
    }
    // Read the state now: news of another tab may have arrived while the transaction was pending.
    const state = this.held.current;
    if (state.status === 'loading' || state.status === 'locked') return null;
    const own = this.#toRecord(state);
    if (!stored && own.messages.every(({ role }) => role === 'notice')) return null;
    const merged = mergeRecord(stored, this.#base, own, this.tab);
    if (stored && stored.revision !== this.#base?.revision) this.#show(merged);
    if (stored && isUnchanged(merged, stored)) {
      this.#startFrom(stored);
      return null;
    }
    return { ...merged, revision: this.#options.createId() };
  }

  /** Shows a merged record in the state, with drafts of an earlier page. */
  #show(record: StoredRecord, earlier: Drafts = tabDrafts.emptyDrafts): void {
    const { draft } = this.held.current;
    this.#token = record.conversationToken;
    this.held.dispatch({
      type: 'restored',
      conversation: records.restoreRecord(record),
      draft: joinDrafts(tabDrafts.composerText(earlier, record.messages), draft),
      formDrafts: earlier.forms,
    });
  }
}
