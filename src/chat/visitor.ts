/** The visitor's identity, and the rule that a visitor never sees the conversation of another one. */
import { withTimeout, type Clock } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import type { Archive } from './storage/archive.ts';
import type { ChatEvent, Kept } from './state/chat-event.ts';
import { identify, userIdOf, type Contact, type Identified } from './identity.ts';
import type { ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';

export interface VisitorHost {
  readonly store: Store<ConversationState, ChatEvent>;
  readonly archive: Archive;
  readonly clock: Clock;
  /** The conversation stays locked, because the page provides no proof for it: its turns end. */
  onProofMissing(): void;
  /** Ends what its author has begun beside the locked conversation, and keeps the texts for them. */
  setAside(author: string, before: ConversationState): void;
  /** Erases the conversation, in every tab, for the owner who comes next. Settles when that is durable. */
  erase(kept?: Kept, successor?: string): Promise<void>;
  /** Leaves the locked conversation to the tab that has assigned it to its visitor. */
  leave(): void;
}

/** The timeout of the page's `contact` function, in milliseconds. */
const contactTimeout = 30_000;
/** Milliseconds between two proofs in the background, while a page replaces its `contact` function again and again. */
const proofInterval = 30_000;

export class Visitor {
  readonly #host: VisitorHost;
  #contact: Contact = null;
  /** Counts the changes of the contact, and of whom its function may return. A proof that was requested before is discarded. */
  #contactVersion = 0;
  /** Counts how often the visitor became anonymous. */
  #anonymousCount = 0;
  /** Settles when what was typed under earlier contacts is assigned to their visitors. */
  #assigning: Promise<void> = Promise.resolve();
  /** On the monotonic clock. */
  #lastProofAt = -Infinity;
  /** A proof that was requested in the background, for the next message. */
  #proof: Promise<Identified | null> | null = null;
  /** Whether the page knows that nobody is signed in. */
  #isNobody = false;
  /** The proof of the present contact, once it was needed. */
  #proven: Identified | null = null;
  #cancelProof: (() => void) | null = null;

  constructor(host: VisitorHost) {
    this.#host = host;
  }

  /** Whether the page has set a contact, or the conversation belongs to a verified visitor. */
  get isIdentified(): boolean {
    return Boolean(this.#contact) || this.#host.archive.recordOwner !== null;
  }

  /** The owner of what the present visitor types, once the identity is proven. An earlier contact's is not shown to them. */
  get provenOwner(): string | null {
    return this.#proven?.owner ?? null;
  }

  /** Whether the page's `contact` is a function, which can return another proof. */
  get canRenewProof(): boolean {
    return typeof this.#contact === 'function';
  }

  /**
   * Sets the contact. The conversation of another visitor is erased as soon as the new one is proven.
   * @param isImmediate Whether a function that replaces another one is called at once, with the transcript hidden.
   */
  async setContact(contact: Contact, isImmediate: boolean): Promise<void> {
    const previous = this.#contact;
    if (contact === previous && !isImmediate) return;
    const isFunction = typeof contact === 'function';
    const isLocked = () => this.#host.store.state.status === 'locked';
    const isSameUser =
      contact && !isFunction && !isLocked() && this.#proven && userIdOf(contact) === this.#proven.userId;
    // A page that renders again replaces a function by another one. Both may return the same visitor.
    const isReplaced = !isImmediate && isFunction && typeof previous === 'function';
    if (contact && (!this.#proven || isLocked()) && !isReplaced) this.#assignContent();
    this.#contact = contact;
    const version = ++this.#contactVersion;
    this.#proof = null;
    if (isSameUser) return;
    this.#proven = null;
    if (!contact) this.#becomeAnonymous();
    // A page that knows that nobody is signed in erases the conversation of an owner. What was typed beside it stays.
    if (!contact && previous) return this.#host.erase();
    this.#isNobody = !contact && isImmediate;
    if (!contact) return isImmediate && this.isIdentified ? this.#host.erase('newcomer') : undefined;
    await this.#assigning;
    if (version !== this.#contactVersion) return;
    const { archive } = this.#host;
    // The conversation is also locked while it is not known who the visitor was.
    if ((archive.owner !== null || isLocked()) && !isReplaced) await this.#verify(true);
    else if (archive.owner === null && isFunction && !isImmediate) this.ownContent();
    else if (isReplaced) this.#proveLater();
    else await this.#proveInBackground();
  }

  /** Makes the visitor anonymous. Returns whether they were identified before. */
  forgetContact(): boolean {
    const { isIdentified } = this;
    this.#contact = null;
    this.#becomeAnonymous();
    this.#forgetProof();
    return isIdentified;
  }

  /** Another tab has erased the conversation: the page's function may return somebody else by now. */
  onErased(): void {
    if (this.canRenewProof) this.#forgetProof();
  }

  /** Forgets the proof, also one that is still pending. */
  #forgetProof(): void {
    this.#contactVersion++;
    this.#proof = this.#proven = null;
    this.#lastProofAt = -Infinity;
  }

  /** Nothing from before is assigned to anybody, and nothing waits for it. */
  #becomeAnonymous(): void {
    this.#anonymousCount++;
    this.#assigning = Promise.resolve();
  }

  /**
   * Returns the proof of identity for a message that is about to leave.
   * @param isTurnKept Whether the message belongs to the visitor who is proven now. Otherwise it is erased with the
   * conversation of the previous one.
   * @throws {ApiError} `identity_rejected` when the page does not provide a proof.
   */
  async identify(isTurnKept: boolean): Promise<Identified | null> {
    if (!this.isIdentified) return null;
    return this.#identify(isTurnKept).catch((cause: unknown) => {
      console.warn('workspace-chat: “contact” proves no identity, so a message was not sent:', cause);
      throw new ApiError('identity_rejected', 'refused', { cause });
    });
  }

  async #identify(isTurnKept: boolean): Promise<Identified | null> {
    const version = this.#contactVersion;
    // What an earlier proof says, for instance that nobody was signed in, must not erase a conversation.
    const isLocked = this.#host.store.state.status === 'locked';
    const proof = isTurnKept && !isLocked ? this.#proof : null;
    this.#proof = null;
    const identified = await (proof ?? this.#requestProof());
    return (await this.#admit(identified, version, isTurnKept)) ? identified : this.#identify(isTurnKept);
  }

  /** Assigns the first draft or message to the visitor, whose proof has not been needed before. */
  ownContent(): void {
    const { archive } = this.#host;
    if (!this.#contact || archive.owner !== null || !archive.hasContent) return;
    if (!this.#proven) this.#proveLater();
    // The record of another visitor, which this tab has left, is erased first: see `#admit`.
    else if ([null, this.#proven.owner].includes(archive.recordOwner)) archive.claim(this.#proven.owner);
  }

  /** The conversation of an owner has been found, and is locked. See `#verify`. */
  onOwnerFound(): void {
    const isErasing = !this.#host.archive.held.isTaken;
    // Without a contact it stays locked: nobody can prove that it is theirs.
    if (this.#contact) void this.#verify(isErasing);
    else if (this.#isNobody && isErasing) void this.#host.erase('newcomer');
  }

  dispose(): void {
    this.#cancelProof?.();
  }

  /**
   * Hides the conversation and proves the visitor's identity. Without a proof it stays hidden.
   * @param isErasing Whether the conversation of another visitor is erased. Otherwise it stays hidden as well: another
   * tab is using it, until a message is sent from this one.
   */
  #verify(isErasing: boolean): Promise<void> {
    const { archive } = this.#host;
    archive.lock(archive.owner, 'nothing');
    return this.#prove(this.#requestProof(), isErasing);
  }

  /** Proves the identity without hiding the conversation. A failure shows itself when a message is sent. */
  #proveInBackground(): Promise<void> {
    this.#proof = this.#requestProof();
    return this.#prove(this.#proof, true);
  }

  /** @param isErasing See `#verify`. */
  async #prove(proof: Promise<Identified | null>, isErasing: boolean): Promise<void> {
    const version = this.#contactVersion;
    const identified = await proof.catch(() => null);
    if (version !== this.#contactVersion) return;
    const isAdmitted = identified && (isErasing || identified.owner === this.#host.archive.owner);
    if (isAdmitted) await this.#admit(identified, version, false);
    else this.#host.onProofMissing();
  }

  /**
   * Assigns what was typed until now to the visitor of the contact that is being replaced, or erases the conversation of
   * another one. A locked one may be of the next visitor, who has begun it in another tab. That visitor's proof may still be
   * pending.
   */
  #assignContent(): void {
    const { archive, store, erase, setAside } = this.#host;
    const { state } = store;
    const proof = this.#proven ?? (this.#proof ?? this.#requestProof()).catch(() => null);
    const count = this.#anonymousCount;
    const earlier = this.#assigning;
    const assign = async () => {
      const [before] = await Promise.all([proof, earlier]);
      if (!before || count !== this.#anonymousCount) return;
      const isOther = archive.recordOwner !== null && archive.recordOwner !== before.owner;
      if (isOther && store.state.status === 'locked') return setAside(before.owner, state);
      if (isOther) await erase(archive.hasLeft ? 'newcomer' : 'nothing', before.owner);
      archive.claim(before.owner);
    };
    this.#assigning = assign();
  }

  #proveLater(): void {
    const { clock } = this.#host;
    const wait = this.#lastProofAt + proofInterval - clock.monotonic();
    this.#cancelProof ??= clock.after(Math.max(0, wait), () => {
      this.#cancelProof = null;
      void this.#proveInBackground();
    });
  }

  /**
   * Continues the owner's conversation, or erases the one of another visitor.
   * @returns Whether the proof is of the present contact.
   */
  async #admit(identified: Identified | null, version: number, isTurnKept: boolean): Promise<boolean> {
    const { archive, store, erase, leave } = this.#host;
    await this.#assigning;
    // A verified visitor's conversation is continued only by the same visitor, an anonymous one by anybody.
    const isOther = () => archive.recordOwner !== null && archive.recordOwner !== identified?.owner;
    const isLocked = () => store.state.status === 'locked';
    if (version !== this.#contactVersion) return false;
    this.#proven = identified;
    archive.saveDrafts();
    const record = isLocked() && !isOther() ? await archive.loadSoon() : null;
    if (version !== this.#contactVersion) return false;
    // Another one may have replaced it while the record was being read.
    if (isLocked() && !isOther()) archive.unlock(record);
    // An anonymous visitor may be the customer who has signed in in the other tab, so their conversation is not erased.
    if (!identified && archive.held.isTaken) leave();
    const { hasLeft } = archive;
    const isErasing = isOther() && (identified !== null || !hasLeft);
    const kept = isLocked() || hasLeft ? 'newcomer' : isTurnKept ? 'turn' : 'nothing';
    const erased = isErasing && erase(kept, identified?.owner);
    if (identified) {
      // Not before, because the erasure clears what is shown.
      archive.restoreDraft(identified.owner);
      // What is typed while the erasure is being stored is of the visitor who is proven.
      archive.claim(identified.owner);
    }
    await erased;
    return version === this.#contactVersion;
  }

  async #requestProof(): Promise<Identified | null> {
    if (!this.#contact) return null;
    const { clock } = this.#host;
    this.#lastProofAt = clock.monotonic();
    const identified = await withTimeout(clock, contactTimeout, identify(this.#contact), 'late' as const);
    if (identified === 'late') throw new Error('The contact function did not return in time.');
    return identified;
  }
}
