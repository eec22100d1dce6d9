/** Writes synchronously that a record is to be erased, so that the erasure survives a navigation that follows at once. */

import { toJson } from '../../api/encoding.ts';

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

/** The stores of the intent. Access to one of them throws where it is blocked. */
export const intentStores: readonly (() => Storage)[] = [() => localStorage, () => sessionStorage];

export const intentName = (key: string): string => `workspace-chat-erase ${key}`;

/** Returns whether the intent could be written. */
export const writeIntent = (key: string, erasure: Erasure): boolean =>
  intentStores.some((open) => {
    try {
      // `toJson` is not needed: an erasure has no arrays, and the launcher writes it.
      // oxlint-disable-next-line no-restricted-properties
      open().setItem(intentName(key), toJson(erasure));
      return true;
    } catch {
      return false;
    }
  });
