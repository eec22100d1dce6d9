/** Whose conversation it is, and to whom it may be shown: nobody ever sees what somebody else has said. */
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
  /** Ends the turn that is under way. */
  leaveTurn(): void;
  /** The record is gone: the other tabs must know. */
  onErased(): void;
}

/** How long the page's function may take to prove who the visitor is, in milliseconds. */
const patience = 30_000;

/** Most pages prove nobody: how it is done is loaded with the first contact. */
const identify = async (contact: Contact): Promise<Identified | null> => {
  const identity = await import('./identity.ts');
  return identity.identify(contact);
};

export class Visitor {
  readonly #host: VisitorHost;
  #contact: Contact = null;
  /** Counts the changes of visitor: what was asked for an earlier one is void. */
  #changes = 0;

  constructor(host: VisitorHost) {
    this.#host = host;
  }

  /** The page's `contact` is a function that can answer anew. */
  get canRenewProof(): boolean {
    return typeof this.#contact === 'function';
  }

  /** Sets who the visitor is, or how to learn it. A conversation of somebody else is never shown again. */
  setContact(contact: Contact): void {
    if (contact === this.#contact) return;
    const wasSomebody = Boolean(this.#contact);
    this.#contact = contact;
    this.#changes++;
    if (this.#host.archive.owner === null) return;
    // What is under way was said by the visitor before.
    if (contact) void this.#prove(() => this.forget());
    else if (wasSomebody) void this.forget();
  }

  /** The visitor is nobody from here on. */
  async logOut(): Promise<void> {
    const wasSomebody = this.#host.archive.owner !== null;
    this.#contact = null;
    this.#changes++;
    if (wasSomebody) await this.forget();
    else this.#host.store.dispatch({ type: 'form-drafts-dropped' });
  }

  /**
   * Who the visitor is, for a turn; the conversation of somebody else is gone when it settles.
   * @throws {ApiError} `identity_rejected` when the page cannot give a proof.
   */
  async identify(): Promise<Identified | null> {
    const changes = this.#changes;
    const identified = await this.#ask();
    if (changes !== this.#changes) return this.identify();
    const { archive, store } = this.#host;
    // Somebody's conversation is continued by that person alone; nobody's by anybody.
    if (archive.owner !== null && archive.owner !== identified?.owner) await this.#erase();
    else if (store.state.status === 'locked') await this.#show();
    return identified;
  }

  /** Shows what belongs to `owner` only when the page proves the visitor to be the same. */
  async admit(owner: string): Promise<void> {
    this.#host.archive.owner = owner;
    await this.#prove(() => this.#erase());
  }

  /** Forgets the conversation, and ends the turn that is under way. */
  async forget(): Promise<void> {
    this.#host.leaveTurn();
    await this.#erase();
  }

  async #prove(onOther: () => Promise<void>): Promise<void> {
    const { archive, store } = this.#host;
    store.dispatch({ type: 'locked' });
    const changes = this.#changes;
    const identified = await this.#ask().catch(() => null);
    if (changes !== this.#changes || !identified) return;
    if (identified.owner === archive.owner) await this.#show();
    else await onOther();
  }

  async #ask(): Promise<Identified | null> {
    if (!this.#contact) return null;
    try {
      const identified = await withTimeout(this.#host.clock, patience, identify(this.#contact), 'late' as const);
      if (identified !== 'late') return identified;
    } catch (error) {
      throw new ApiError('identity_rejected', 'refused', { cause: error });
    }
    throw new ApiError('identity_rejected', 'refused');
  }

  async #show(): Promise<void> {
    const { archive, store } = this.#host;
    const record = await archive.load();
    // What was locked was not shown, however well its revision is known.
    if (record && (store.state.status === 'locked' || archive.isBehind(record))) archive.adopt(record);
    store.dispatch({ type: 'unlocked' });
  }

  /** A turn that is under way goes on, as the first of the present visitor's own conversation. */
  async #erase(): Promise<void> {
    const { archive, store, onErased } = this.#host;
    store.dispatch({ type: 'cleared' });
    await archive.erase();
    onErased();
    if (isBusy(store.state)) archive.beginConversation();
  }
}
