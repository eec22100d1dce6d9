/** Persists the conversation: reads its record, merges it with the other tabs' changes, writes it, and erases it. */
import { hasContent, type ConversationState } from '../state/state.ts';
import type { ArchiveOptions } from './archive-options.ts';
import type { Erasure } from './erasure-intent.ts';
import { knownEpochs, noEpoch, readEntry, toEpoch, withoutErased, type TabEpoch } from './entry.ts';
import { HeldState } from './held-state.ts';
import { draftToStore, draftWithUnsaved, remainingDraft, restoredDraft } from './drafts.ts';
import { appliesTo, followsExpired, isErased, mergeRecord } from './merge.ts';
import { completeErasure } from './erase.ts';
import { isRecord, restoreRecord, toRecord, toTombstone, type StoredRecord, type Tombstone } from './record.ts';
import { WriteSchedule } from './write-schedule.ts';

export class Archive {
  /** The secret part of the credentials. Only requests to the service carry it. */
  token: string | null = null;
  /** See `StoredRecord.owner`. Change it with `claim` and `lock`. */
  owner: string | null = null;
  /** The conversation that is locked. */
  readonly held: HeldState;
  readonly #options: ArchiveOptions;
  readonly #writes: WriteSchedule;
  #epoch: TabEpoch = noEpoch;
  /** The epochs that this tab knows to be erased. A record of one was read before that, or is still to be erased. */
  readonly #erased = new Set<string | null>();
  /** When this tab was opened, in milliseconds since 1970. An erasure after that ends what was typed before the first read. */
  readonly #openedAt: number;
  #isOpen = false;
  /** Counts the epochs that this tab has entered. What was read in an earlier one is out of date. */
  #generation = 0;
  /** The record as this tab has read or written it last. */
  #base: StoredRecord | null = null;
  #startedAt: number | null = null;
  /** The draft that this tab has written to the record, or taken from it, last. */
  #sharedDraft = '';
  /** Whether the page is being left. It may return from the back/forward cache. */
  #isLeft = false;
  #erasing: Promise<void> = Promise.resolve();
  readonly #unsubscribe: () => void;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    this.#openedAt = options.clock.now();
    this.held = new HeldState(options.store);
    this.#writes = new WriteSchedule(options.clock, (hasNewRevision) => this.#write(hasNewRevision));
    this.#unsubscribe = options.store.subscribe((state, event, previous) => {
      this.#writes.onEvent(event);
      if (state.formDrafts !== previous.formDrafts || state.submitted !== previous.submitted) this.saveDrafts();
    });
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
    const generation = this.#generation;
    const value = await storage.load(key);
    this.#isOpen = true;
    this.#writes.start();
    const entry = readEntry(value, this.#options);
    if (generation !== this.#generation || this.#erased.has(entry?.epoch ?? '')) return null;
    const next = toEpoch(entry);
    if (this.hasContent && next.epoch !== this.#epoch.epoch && next.begunAt > this.#openedAt) this.#leaveEpoch(entry);
    else this.#enter(entry, true);
    return isRecord(entry) ? entry : null;
  }

  /** Reads the record again. Returns null when there is none, or this tab has just learned that it was erased. */
  async load(): Promise<StoredRecord | null> {
    const { key, storage } = this.#options;
    const generation = this.#generation;
    const value = await storage.load(key);
    return generation === this.#generation ? this.#admit(value) : this.load();
  }

  /** Merges a record into the state, unless it was erased since it was read. */
  restore(record: StoredRecord): void {
    if (record.epoch !== this.#epoch.epoch) return;
    const { drafts, key, store } = this.#options;
    const { state } = store;
    const base = this.#base;
    const saved = base ? null : drafts.read(key, record.epoch);
    this.owner = record.owner;
    const merged = mergeRecord(record, base, this.#toRecord(state, record.epoch));
    this.#startedAt = merged.startedAt;
    const draft = base ? remainingDraft(record, base, state, this.#sharedDraft) : restoredDraft(record, saved, state);
    if (!base) this.#sharedDraft = record.draft;
    this.#base = record;
    this.#show(merged, draft, saved?.forms);
  }

  /** Restores the draft of this tab while no record is shown. */
  restoreDraft(): void {
    const { store, drafts, key } = this.#options;
    const saved = drafts.read(key, this.#epoch.epoch);
    const draft = saved?.owner === null ? draftWithUnsaved(saved, []) : '';
    if (draft && !store.state.draft) store.dispatch({ type: 'draft-changed', draft });
  }

  /** Writes the drafts of this tab synchronously, and when the page is being left, also the texts that the record lacks. */
  saveDrafts(isLeft = false): void {
    const { store, drafts, key } = this.#options;
    this.#isLeft = isLeft;
    if (isLeft && store.state.draft) this.#writes.add(false);
    const stored = isLeft ? (this.#base?.messages ?? []) : null;
    drafts.save(key, store.state, this.#epoch.epoch, this.owner, stored);
  }

  /** Whether the record is newer than the state of this tab. */
  isOutdatedBy({ revision }: StoredRecord): boolean {
    return revision !== this.#base?.revision;
  }

  /** Begins the 24 hours of a conversation, before its id is part of the state. Without `token`, the next message starts it. */
  beginConversation(token: string | null): void {
    this.token = token;
    this.#startedAt = this.#options.clock.now();
  }

  /** Assigns the conversation, with its drafts and undelivered messages, to a verified visitor. */
  claim(owner: string): void {
    if (owner === this.owner) return;
    this.owner = owner;
    if (this.hasContent) this.#writes.add(true);
  }

  get hasContent(): boolean {
    return hasContent(this.#options.store.state);
  }

  /** Hides the conversation of `owner`, or of an unknown visitor: what is typed now is kept apart. Returns whether it was shown. */
  lock(owner = this.owner): boolean {
    this.owner = owner;
    return this.held.lock();
  }

  /** Shows the conversation that was locked, because its owner is proven. */
  async unlock(): Promise<void> {
    const record = await this.load();
    if (!this.held.unlock()) return;
    if (record && this.isOutdatedBy(record)) this.restore(record);
    if (this.hasContent) this.#writes.add(true);
  }

  /** Forgets the record, and erases it for every tab. `done` settles when that is durable. Call it with a cleared state. */
  erase(): { erasure: Erasure; done: Promise<void> } {
    const { clock, createId, erasures, key } = this.#options;
    const known = knownEpochs(this.#isOpen ? this.#epoch : null, erasures.get(key));
    const erasure: Erasure = { epoch: createId(), known, erasedAt: clock.now() };
    erasures.set(key, erasure);
    this.#enter(toTombstone(erasure, null));
    this.#erasing = this.#completeErasure(erasure);
    return { erasure, done: this.#erasing };
  }

  /** Forgets the record if it is the one that another tab has erased. Returns whether it is. */
  applyErasure(erasure: Erasure): boolean {
    if (!appliesTo(erasure, this.#epoch) || erasure.erasedAt < this.#epoch.begunAt) return false;
    this.#leaveEpoch(toTombstone(erasure, this.#epoch));
    return true;
  }

  /** Changes the list of claimed tool calls in the stored record, if this tab may use it. */
  async changeCalls(change: (calls: readonly string[]) => readonly string[]): Promise<void> {
    await this.flush();
    await this.#options.storage.update(this.#options.key, (value) => {
      const record = this.#admit(value);
      return record ? { ...record, calls: change(record.calls) } : value;
    });
  }

  /** Settles when the current state is written. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** Stops following the state. Settles when the last change is written, and the other tabs know of an erasure. */
  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.all([this.flush(), this.#erasing]);
  }

  /** Makes an erasure durable. */
  async #completeErasure(erasure: Erasure): Promise<void> {
    for (const { epoch } of erasure.known ?? []) this.#erased.add(epoch);
    // Offline, right after the page was opened. A write replaces the record, too, unless the storage fails.
    if (!(await completeErasure(erasure, this.#options))) this.#writes.add(false);
    this.#generation++;
    this.#options.onEnded(erasure);
  }

  /** Ends the epoch of this tab because of another tab's erasure. `entry` is what is stored since. */
  #leaveEpoch(entry: StoredRecord | Tombstone | null): void {
    this.#options.onErased();
    this.#enter(entry);
  }

  /** Forgets everything that belongs to another epoch, and starts with a stored entry. */
  #enter(entry: StoredRecord | Tombstone | null, isFirst = false): void {
    const { drafts, key, storage } = this.#options;
    if (!isFirst) drafts.remove(key);
    if (entry && !isRecord(entry)) void storage.eraseCopy(key, entry);
    this.#generation++;
    this.#epoch = toEpoch(entry);
    this.#erased.add(this.#epoch.previous);
    this.token = this.owner = this.#base = this.#startedAt = null;
    this.held.clear();
    this.#sharedDraft = '';
    this.#writes.clear();
    // What a visitor has typed while the conversation of another one was locked belongs to the new epoch.
    if (this.hasContent) this.#writes.add(true);
  }

  /** Returns the stored record if this tab may use it. Everything that this tab knows of an erased one is forgotten. */
  #admit(value: unknown): StoredRecord | null {
    const entry = readEntry(value, this.#options);
    if (this.#erased.has(entry?.epoch ?? '')) return null;
    if (!entry || followsExpired(entry, this.#base, this.#options.clock.now())) this.#expire();
    if (entry && (this.#base ? entry.epoch !== this.#base.epoch : isErased(this.#epoch, entry)))
      this.#leaveEpoch(entry);
    else if (entry) this.#epoch = toEpoch(entry);
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
    return {
      ...toRecord(state),
      ...this.#epoch,
      epoch,
      revision: this.#base?.revision ?? 0,
      startedAt: (this.#startedAt ??= this.#options.clock.now()),
      conversationToken: this.token,
      owner: this.owner,
    };
  }

  async #write(hasNewRevision: boolean): Promise<void> {
    const { storage, key, createId, onSaved } = this.#options;
    const newEpoch = createId();
    let [written, draft, generation]: [StoredRecord | null, string, number] = [null, '', 0];
    await storage.update(key, (value) => {
      written = this.#change(value, newEpoch, hasNewRevision);
      ({ draft } = this.held.current);
      generation = this.#generation;
      return written ?? withoutErased(value, this.#options);
    });
    if (!written || generation !== this.#generation) return; // Erased while the transaction was being completed.
    this.#base = written;
    this.#sharedDraft = draft;
    if (hasNewRevision) onSaved();
  }

  /** Returns the record to write in place of `value`, or null when this tab may not write, or has nothing to write. */
  #change(value: unknown, newEpoch: string, hasNewRevision: boolean): StoredRecord | null {
    const generation = this.#generation;
    const stored = this.#admit(value);
    if (generation !== this.#generation) return null;
    const owner = this.owner;
    if (stored && stored.owner !== null && stored.owner !== owner) {
      this.#options.onClaimed(stored.owner);
      // An anonymous visitor's texts from before belong to the owner, too: a sign-in does not end the epoch.
      if (owner !== null) return null;
    }
    // Read the state now: news of another tab may have arrived while the transaction was pending.
    const state = this.held.current;
    if (state.status === 'loading' || state.status === 'locked' || (!stored && !hasContent(state))) return null;
    const own = this.#toRecord(state, stored?.epoch ?? this.#epoch.epoch ?? newEpoch);
    const merged = mergeRecord(stored, this.#base, own);
    const draft = draftToStore(stored?.draft ?? '', this.#sharedDraft, state.draft, this.#isLeft);
    const record = { ...merged, draft, revision: merged.revision + (hasNewRevision ? 1 : 0) };
    // Also if the write fails: an erasure that begins meanwhile ends this epoch.
    this.#epoch = toEpoch(record);
    if (stored && this.isOutdatedBy(stored))
      this.#show(record, remainingDraft(stored, this.#base, state, this.#sharedDraft));
    return record;
  }

  /** Shows a merged record in the state. */
  #show(record: StoredRecord, draft: string, formDrafts: ConversationState['formDrafts'] = {}): void {
    this.token = record.conversationToken;
    this.held.dispatch({ type: 'restored', conversation: restoreRecord(record), draft, formDrafts });
  }
}
