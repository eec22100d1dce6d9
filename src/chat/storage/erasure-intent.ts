/** Writes synchronously that a record is to be erased, so that the erasure survives a navigation that follows at once. */

/** The epoch of a record or of a tab, both null for a tab that has found none. */
export interface Epoch {
  readonly epoch: string | null;
  /** The epoch that was erased before, or null for the first one. */
  readonly previous: string | null;
}

export interface Erasure {
  /** The epoch that follows the erased one. */
  readonly epoch: string;
  /** The epochs that are erased. Null means any: the tab has not read the record. */
  readonly known: readonly Epoch[] | null;
  /** Milliseconds since the epoch. */
  readonly erasedAt: number;
  /** Only a record with an owner is erased: the page has logged out before the record was read. */
  readonly isOwnedOnly?: boolean;
}

export const intentName = (key: string): string => `workspace-chat-erase ${key}`;

/** Writes the intent to erase a record whose code is not loaded yet. `erasure` is an `Erasure` as JSON. */
export const writeIntent = (key: string, erasure: string): void => {
  try {
    localStorage.setItem(intentName(key), erasure);
  } catch {
    // Storage is blocked or full: the record is erased as soon as the code is loaded, if the page stays.
  }
};
