/**
 * Counts in `localStorage` how often a record was erased. The names of an erasure, some of which are in `peek.ts`:
 * - `erasureCount`: that number, in the record, in a tab, in drafts and in messages to other tabs. Current is the largest
 *   one that is stored. Content with a smaller one is erased: not shown, not written, not sent;
 * - `Erasures`: the counter in `localStorage`, which survives a navigation that follows at once;
 * - `noteErasure`: erases a record that no page has read yet, so that its number is unknown;
 * - `Tombstone`: replaces an erased record. It has only the number, and never expires;
 * - `TabErasures`: the number of a tab, which decides what is erased for it;
 * - `erase`, `onErased`: this tab erases for all tabs, and another tab has erased.
 */
import type { Erasures } from './peek.ts';

/** The number of a tab. It decides, without any clock, whether what the tab shows is older than an erasure. */
export class TabErasures {
  /** The `erasureCount` to which this tab belongs. */
  count: number;
  /** Whether the record has been read. */
  isOpen = false;
  /** The `erasureCount` that this tab has read last. */
  #readCount = 0;
  readonly #key: string;
  readonly #erasures: Erasures;

  constructor(key: string, erasures: Erasures) {
    this.#key = key;
    this.#erasures = erasures;
    this.count = erasures.get(key).count;
  }

  /** Whether the entry that was read last is still to be replaced. */
  get isPending(): boolean {
    return this.#readCount < this.count;
  }

  /** Stores the next number synchronously, and returns it. */
  takeNext(): number {
    const count = Math.max(this.count, this.#erasures.get(this.#key).count) + 1;
    this.#erasures.set(this.#key, { count, note: this.isOpen ? null : 'all' });
    return count;
  }

  /**
   * Compares this tab with a stored entry. Returns the current number, and whether that erases what this tab holds.
   * @param stored The `erasureCount` of the entry, or 0 when there is none.
   */
  compare(stored: number, hasOwner: boolean): { current: number; isErased: boolean } {
    this.#resolveNote(stored, hasOwner);
    const { count } = this.#erasures.get(this.#key);
    const current = Math.max(stored, count);
    // A number never decreases. The site's data was cleared, and every number begins again.
    if (stored < this.#readCount && current < this.count) this.count = current;
    this.#readCount = stored;
    // At the first read the number of the record is news, but no erasure: this tab has shown nothing of an earlier one.
    const isErased = (this.isOpen ? current : count) > this.count;
    this.isOpen = true;
    return { current, isErased };
  }

  /** Gives an erasure by a page that had not read the record its number. */
  #resolveNote(stored: number, hasOwner: boolean): void {
    const { count, note } = this.#erasures.get(this.#key);
    if (!note) return;
    // Without the number of a store that the page has cleared, the record may be ahead.
    const isErasing = note === 'all' ? stored >= count : hasOwner;
    const next = isErasing ? Math.max(stored, count) + 1 : count;
    this.#erasures.set(this.#key, { count: next, note: null });
    // This page was opened after that erasure, or it is its own: what was typed here stays.
    if (!this.isOpen && count <= this.count) this.count = Math.max(next, this.count);
  }
}
