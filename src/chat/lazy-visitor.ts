/** Loads the code for identified visitors with the first contact: most pages have only anonymous ones. */
import { withTimeout } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import { isReplacement } from './contact.ts';
import type { Contact, Identified } from './identity.ts';
import type { Visitor, VisitorHost } from './visitor.ts';

/** The timeout of the code's file, in milliseconds. */
const loadTimeout = 30_000;

export class LazyVisitor {
  readonly #host: VisitorHost;
  #contact: Contact = null;
  /** The calls of `setContact` before the code is loaded, in their order. What was typed between them has different owners. */
  #changes: Parameters<Visitor['setContact']>[] = [];
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
    if (contact === previous && !isImmediate) return;
    this.#contact = contact;
    if (this.#visitor) return void this.#visitor.setContact(contact, isImmediate);
    if (previous && !contact) {
      void this.#host.endEpoch();
      this.#changes = [];
    } else if (isReplacement(previous, contact, isImmediate)) this.#changes.pop();
    // Only that code can tell whether it is the same visitor.
    else if (previous && this.#host.archive.hasContent) this.#host.lock();
    this.#changes.push([contact, isImmediate]);
    // Loaded now, because the device may be offline when the first message is sent. A failure is retried then.
    this.retry();
  }

  /** Loads the code if it could not be loaded when the contact was set. */
  retry(): void {
    if (this.#contact && !this.#visitor) this.#load().catch(this.#host.onProofMissing);
  }

  /** Makes the visitor anonymous. Returns whether they were identified before. */
  forgetContact(): boolean {
    const { isIdentified } = this;
    this.#contact = null;
    this.#changes = [];
    this.#visitor?.forgetContact();
    return isIdentified;
  }

  /**
   * See `Visitor.identify`.
   * @throws {ApiError} `identity_rejected` when the page does not provide a proof.
   */
  async identify(isTurnKept: boolean): Promise<Identified | null> {
    if (!this.isIdentified) return null;
    return (this.#visitor ?? (await this.#load())).identify(isTurnKept);
  }

  /** The conversation of an owner has been found, and is locked. See `Visitor.verify`. */
  onOwnerFound(isErasing: boolean): void {
    // Without the code it stays locked: nobody can prove that it is theirs.
    if (this.#contact) this.#load().then((visitor) => visitor.verify(isErasing), this.#host.onProofMissing);
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
    // The browser itself logs a file that cannot be loaded.
    const visitor = await withTimeout(this.#host.clock, loadTimeout, this.#loading, null).catch(() => null);
    if (!visitor) {
      this.#loading = null;
      throw new ApiError('network', 'refused');
    }
    if (!this.#visitor) {
      this.#visitor = visitor;
      for (const change of this.#changes.splice(0)) void visitor.setContact(...change);
    }
    return visitor;
  }
}
