/** The model of a run: the texts of the visitors, and the erasures that separate the visitors from each other. */

export type VisitorName = 'A' | 'B';

/** A text of a visitor. Its marker appears in every copy of the text, and nowhere else. */
export interface Text {
  readonly marker: string;
  readonly erasureCount: number;
  /** Whether the visitor has typed or chosen this text. False for an option that is only offered. */
  isOwned: boolean;
  /** How often the visitor has explicitly sent it. */
  sends: number;
  /** The keys of the requests with it that the service may have processed. */
  readonly processed: Set<string>;
  /** Whether the service has accepted it, so that the widget shows it as confirmed. */
  isAccepted: boolean;
  /** When the visitor last changed or sent it. */
  touchedAt: number;
  /** Why it may be missing from now on, or null. */
  lossReason: string | null;
}

const markerPattern = /([QR])(anonymous|A|B)-(\d+)-(\d+)\1/g;

/** Returns the markers of the texts, and of the replies to them, that a string contains. */
export const markersIn = (content: string): string[] => [
  ...new Set(
    [...content.matchAll(markerPattern)].map(
      ([, , visitor, erasureCount, number]) => `Q${visitor}-${erasureCount}-${number}Q`,
    ),
  ),
];

/** Returns the marker of the reply to a text. */
export const replyMarker = (marker: string): string => `R${marker.slice(1, -1)}R`;

/** The lifetime of a conversation, in milliseconds. */
export const lifetime = 24 * 3600 * 1000;

export const erasureCountOf = (marker: string): number => Number(marker.split('-')[1]);

export class Model {
  readonly texts = new Map<string, Text>();
  /**
   * Starts at 1. Another verified visitor, the logout of a verified visitor, and a reset erase; the sign-in of an anonymous visitor does
   * not.
   */
  erasureCount = 1;
  visitor: VisitorName | null = null;
  /** The verified visitors by erasure count: one at most. */
  readonly #verified = new Map<number, VisitorName>();

  createText(now: number, erasureCount = this.erasureCount): Text {
    const marker = `Q${this.verifiedIn(erasureCount) ?? 'anonymous'}-${erasureCount}-${this.texts.size + 1}Q`;
    const text: Text = {
      marker,
      erasureCount,
      isOwned: true,
      sends: 0,
      processed: new Set(),
      isAccepted: false,
      touchedAt: now,
      lossReason: null,
    };
    this.texts.set(marker, text);
    return text;
  }

  verifiedIn(erasureCount: number): VisitorName | null {
    return this.#verified.get(erasureCount) ?? null;
  }

  /** Returns whether the sign-in erases. */
  identify(visitor: VisitorName): boolean {
    const isOther = this.visitor !== null && this.visitor !== visitor;
    if (isOther) this.erasureCount++;
    this.visitor = visitor;
    this.#verified.set(this.erasureCount, visitor);
    return isOther;
  }

  /** Returns whether the logout erases. */
  logout(): boolean {
    const wasVerified = this.visitor !== null;
    if (wasVerified) this.erasureCount++;
    this.visitor = null;
    return wasVerified;
  }

  reset(): void {
    this.erasureCount++;
    if (this.visitor) this.#verified.set(this.erasureCount, this.visitor);
  }

  /** The visitor has sent these texts with one click or key. */
  recordSend(markers: readonly string[], now: number): void {
    for (const text of this.#find(markers)) {
      text.isOwned = true;
      text.sends++;
      text.touchedAt = now;
    }
  }

  /** The visitor has deleted these texts. */
  recordDeletion(markers: readonly string[]): void {
    this.allowLoss('deleted by the visitor', (text) => markers.includes(text.marker));
  }

  recordAccepted(markers: readonly string[], now: number): void {
    for (const text of this.#find(markers)) {
      text.isAccepted = true;
      // The widget counts the lifetime of a conversation from its first message, however late the reply is.
      if (now - text.touchedAt >= lifetime) text.lossReason ??= 'its conversation is over 24 hours old';
    }
  }

  /** Texts since the last erasure that match may be missing from now on. */
  allowLoss(reason: string, matches: (text: Text) => boolean = () => true): void {
    for (const text of this.texts.values()) {
      if (text.erasureCount === this.erasureCount && matches(text)) text.lossReason ??= reason;
    }
  }

  /** Returns the texts that the visitor must be able to find. */
  expectedTexts(): Text[] {
    return [...this.texts.values()].filter(
      ({ erasureCount, isOwned, lossReason }) => erasureCount === this.erasureCount && isOwned && lossReason === null,
    );
  }

  #find(markers: readonly string[]): Text[] {
    return markers.flatMap((marker) => this.texts.get(marker) ?? []);
  }
}
