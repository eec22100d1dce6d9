/** The visitor's identity, and the rule that a visitor never sees the conversation of another one. */
import { withTimeout, type Clock } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import type { Archive } from './storage/archive.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { Contact, Identified } from './identity.ts';
import { isBusy, type ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';

export interface VisitorHost {
  readonly store: Store<ConversationState, ChatEvent>;
  readonly archive: Archive;
  readonly clock: Clock;
  /** Ends the turn that is in progress. */
  endTurn(): void;
  /** Called when the record was erased, to notify the other tabs. */
  onErased(): void;
}

/** The timeout of the page's `contact` function, in milliseconds. */
const contactTimeout = 30_000;

/** Loads the code with the first contact: most pages have no identified visitors. */
const identify = async (contact: Contact): Promise<Identified | null> => {
  const identity = await import('./identity.ts');
  return identity.identify(contact);
};

export class Visitor {
  readonly #host: VisitorHost;
  #contact: Contact = null;
  /** Counts the changes of the contact. A proof that was requested for an earlier one is discarded. */
  #contactVersion = 0;

  constructor(host: VisitorHost) {
    this.#host = host;
  }

  /** Whether the page's `contact` is a function, which can return another proof. */
  get canRenewProof(): boolean {
    return typeof this.#contact === 'function';
  }

  /** Sets the contact. The conversation of another visitor is erased. */
  setContact(contact: Contact): void {
    if (contact === this.#contact) return;
    const wasIdentified = Boolean(this.#contact);
    this.#contact = contact;
    this.#contactVersion++;
    if (this.#host.archive.owner === null) return;
    // The turn in progress belongs to the previous visitor.
    if (contact) void this.#verifyOwner(() => this.eraseConversation());
    else if (wasIdentified) void this.eraseConversation();
  }

  /** Makes the visitor anonymous. */
  async logout(): Promise<void> {
    const wasIdentified = this.#host.archive.owner !== null;
    this.#contact = null;
    this.#contactVersion++;
    if (wasIdentified) await this.eraseConversation();
    else this.#host.store.dispatch({ type: 'form-drafts-dropped' });
  }

  /**
   * Returns the proof of identity for a turn. The conversation of another visitor is erased when it settles.
   * @throws {ApiError} `identity_rejected` when the page does not provide a proof.
   */
  async identify(): Promise<Identified | null> {
    const version = this.#contactVersion;
    const identified = await this.#requestProof();
    if (version !== this.#contactVersion) return this.identify();
    const { archive, store } = this.#host;
    // A verified visitor's conversation is continued only by the same visitor, an anonymous one by anybody.
    if (archive.owner !== null && archive.owner !== identified?.owner) await this.#erase();
    else if (store.state.status === 'locked') await this.#unlock();
    return identified;
  }

  /** Hides a conversation of `owner` until the page proves the same identity. */
  async lock(owner: string): Promise<void> {
    this.#host.archive.owner = owner;
    await this.#verifyOwner(() => this.#erase());
  }

  /** Erases the conversation and ends the turn in progress. */
  async eraseConversation(): Promise<void> {
    this.#host.endTurn();
    await this.#erase();
  }

  async #verifyOwner(onOther: () => Promise<void>): Promise<void> {
    const { archive, store } = this.#host;
    store.dispatch({ type: 'locked' });
    const version = this.#contactVersion;
    const identified = await this.#requestProof().catch(() => null);
    if (version !== this.#contactVersion || !identified) return;
    if (identified.owner === archive.owner) await this.#unlock();
    else await onOther();
  }

  async #requestProof(): Promise<Identified | null> {
    if (!this.#contact) return null;
    try {
      const identified = await withTimeout(this.#host.clock, contactTimeout, identify(this.#contact), 'late' as const);
      if (identified !== 'late') return identified;
    } catch (error) {
      throw new ApiError('identity_rejected', 'refused', { cause: error });
    }
    throw new ApiError('identity_rejected', 'refused');
  }

  async #unlock(): Promise<void> {
    const { archive, store } = this.#host;
    const record = await archive.load();
    // A locked record is restored even if its revision is known, because it was never shown.
    if (record && (store.state.status === 'locked' || archive.isOutdatedBy(record))) archive.restore(record);
    store.dispatch({ type: 'unlocked' });
  }

  /** Erases the conversation. A turn in progress continues, as the first of the current visitor's own conversation. */
  async #erase(): Promise<void> {
    const { archive, store, onErased } = this.#host;
    store.dispatch({ type: 'cleared' });
    await archive.erase();
    onErased();
    if (isBusy(store.state)) archive.startConversation();
  }
}
