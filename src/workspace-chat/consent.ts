/** The visitor's consent to the chat, before which nothing is sent, requested from the API, or stored. */
import { attempt } from '../chat/storage/tab-flag.ts';
import { WorkspaceChatEvent } from './events.ts';

/** What the visitor agrees to before the first message. */
export interface Consent {
  /** The text, with the words of its link in brackets: `I agree to the [privacy policy].` */
  text?: string;
  /** The URL of the link. */
  url?: string;
  /** The visitor is asked again when it changes. */
  version: string | number;
}

/** Fired when the visitor has agreed to the text of `consent`. */
export class WorkspaceChatConsentEvent extends WorkspaceChatEvent {
  readonly version: string;
  /** When the visitor agreed, in ISO 8601. */
  readonly at: string;
  /** The text that the visitor has read. */
  readonly text: string;
  constructor(version: string, at: string, text: string) {
    super('consent');
    this.version = version;
    this.at = at;
    this.text = text;
  }
}

/** Reads the version that the visitor has agreed to, after writing it if one is given. Null when storage is blocked. */
const agreedVersion = (agentId: string, version?: string): string | null =>
  attempt(() => {
    const name = `workspace-chat-consent ${agentId}`;
    if (version !== undefined) localStorage.setItem(name, version);
    return localStorage.getItem(name);
  });

interface Settings {
  agentId: string;
  consent: Consent | boolean | null;
}

export class ConsentGate {
  readonly #element: Settings;
  /** The consent that was given on this page. */
  #given: Partial<Consent> | null = null;
  #waiting: Promise<void> | null = null;
  #resolve = () => {};

  constructor(element: Settings) {
    this.#element = element;
  }

  /** What the visitor still has to agree to, or null. Without a text, the site asks by itself. */
  get missing(): Partial<Consent> | null {
    const { agentId, consent } = this.#element;
    if (consent === false) return {};
    if (!consent || consent === true || consent === this.#given) return null;
    return agreedVersion(agentId) === String(consent.version) ? null : consent;
  }

  /** Settles when nothing is missing. */
  async whenGiven(): Promise<void> {
    if (!this.missing) return;
    await (this.#waiting ??= new Promise((resolve) => {
      this.#resolve = resolve;
    }));
  }

  /** Lets through what waits, if nothing is missing any more. */
  update(): void {
    if (!this.#waiting || this.missing) return;
    this.#waiting = null;
    this.#resolve();
  }

  /** The visitor agrees. Returns the event for the site's records. */
  give(): WorkspaceChatConsentEvent | null {
    const { missing } = this;
    if (!missing) return null;
    const version = String(missing.version);
    this.#given = missing;
    agreedVersion(this.#element.agentId, version);
    this.update();
    return new WorkspaceChatConsentEvent(version, new Date().toISOString(), missing.text ?? '');
  }
}
