/** Loads the code for identified visitors with the first contact: most pages have only anonymous ones. */
import { withTimeout } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import type { Contact, Identified } from './identity.ts';
import type { Visitor, VisitorHost } from './visitor.ts';

/** The timeout of the code's file, in milliseconds. */
const loadTimeout = 30_000;

/** Returns the user id of a contact if it can be read without the code for proofs. */
const readUserId = (contact: Contact): string | null =>
  contact && 'user_id' in contact && typeof contact.user_id === 'string' ? contact.user_id : null;

export class LazyVisitor {
  readonly #host: VisitorHost;
  #contact: Contact = null;
  /** The contact before, if it was another one and the code is not loaded. What was typed belongs to it. */
  #previous: Contact = null;
  #visitor: Visitor | null = null;
  #loading: Promise<Visitor> | null = null;

  constructor(host: VisitorHost) {
    this.#host = host;
  }

  /** Whether the page has set a contact, or the conversation belongs to a verified visitor. */
  get isIdentified(): boolean {
    return Boolean(this.#contact) || this.#host.archive.owner !== null;
  }

  /** Whether the page's `contact` is a function, which can return another proof. */
  get canRenewProof(): boolean {
    return typeof this.#contact === 'function';
  }

  /** See `Visitor.setContact`. */
  setContact(contact: Contact, isImmediate: boolean): void {
    const previous = this.#contact;
    this.#contact = contact;
    if (this.#visitor) return void this.#visitor.setContact(contact, isImmediate);
    const [before, now] = [previous, contact].map(readUserId);
    if (previous && (!contact || (before && now && before !== now))) void this.#host.endEpoch();
    else if (typeof contact !== 'function') this.#previous ??= previous;
    // Loaded now, because the device may be offline when the first message is sent. A failure is retried then.
    this.retry();
  }

  /** Loads the code if it could not be loaded when the contact was set. */
  retry(): void {
    if (this.#contact && !this.#visitor) this.#load().catch(() => {});
  }

  /** Makes the visitor anonymous. Returns whether they were identified before. */
  forgetContact(): boolean {
    const { isIdentified } = this;
    this.#contact = this.#previous = null;
    this.#visitor?.forgetContact();
    return isIdentified;
  }

  /**
   * See `Visitor.identify`.
   * @throws {ApiError} `identity_rejected` when the page does not provide a proof.
   */
  async identify(isTurnKept: boolean): Promise<Identified | null> {
    if (!this.isIdentified) return null;
    const visitor = this.#visitor ?? (await this.#load());
    return visitor.identify(isTurnKept).catch((cause: unknown) => {
      throw new ApiError('identity_rejected', 'refused', { cause });
    });
  }

  /** The conversation of an owner has been found, and is locked. See `Visitor.verify`. */
  onOwnerFound(isErasing: boolean): void {
    // Without the code it stays locked.
    if (this.#contact)
      this.#load().then(
        (visitor) => visitor.verify(isErasing),
        () => {},
      );
  }

  /** The visitor has typed something. */
  onContent(): void {
    this.#visitor?.ownContent();
  }

  dispose(): void {
    this.#visitor?.dispose();
  }

  async #load(): Promise<Visitor> {
    this.#loading ??= import('./visitor.ts').then(({ Visitor }) => new Visitor(this.#host));
    try {
      const visitor = await withTimeout(this.#host.clock, loadTimeout, this.#loading, null);
      if (!visitor) throw new Error('The code for identified visitors was not loaded in time.');
      if (!this.#visitor) {
        this.#visitor = visitor;
        if (this.#previous) void visitor.setContact(this.#previous, false);
        void visitor.setContact(this.#contact, false);
      }
      return visitor;
    } catch (error) {
      this.#loading = null;
      throw new ApiError('network', 'refused', { cause: error });
    }
  }
}
