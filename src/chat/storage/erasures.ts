/**
 * Counts in `localStorage` how often a record was erased. The names of an erasure:
 * - `erasureCount`: that number, in the record, in a tab, in drafts and in messages to other tabs. Current is the largest
 *   one that is stored. Content with a smaller one is erased: not shown, not written, not sent;
 * - `Erasures`: the counter in `localStorage`, which survives a navigation that follows at once;
 * - `noteErasure`: erases a record that no page has read yet, so that its number is unknown;
 * - `Tombstone`: replaces an erased record. It has only the number, and never expires;
 * - `Archive.erase`: erases for all tabs: it takes the next number, and stores it;
 * - `onErased`: called when another tab has erased.
 */

/** An erasure before the record was read: of any record, or only of one with an owner, because the page has logged out. */
export type ErasureNote = 'all' | 'owned';

export interface StoredErasures {
  readonly count: number;
  /** Set until the record is read. */
  readonly note: ErasureNote | null;
}

export interface Erasures {
  get(key: string): StoredErasures;
  set(key: string, erasures: StoredErasures): void;
}

const itemName = (key: string): string => `workspace-chat-erasures ${key}`;

/** The stores of the counter: the second one is used where the first one is full. */
const stores: readonly (() => Storage)[] = [() => localStorage, () => sessionStorage];

const use = <Value>(open: () => Storage, operate: (store: Storage) => Value): Value | null => {
  try {
    return operate(open());
  } catch {
    // The store is blocked, or full.
    return null;
  }
};

const decode = (text: string | null): StoredErasures => {
  const [count, note] = (text ?? '').split(' ');
  return { count: Number(count) || 0, note: note === 'all' || note === 'owned' ? note : null };
};

export const browserErasures: Erasures = {
  get(key) {
    const [local, session] = stores.map((open) => decode(use(open, (store) => store.getItem(itemName(key)))));
    return { count: Math.max(local!.count, session!.count), note: local!.note ?? session!.note };
  },
  set(key, { count, note }) {
    const write = (store: Storage) => {
      store.setItem(itemName(key), note ? `${count} ${note}` : `${count}`);
      return true;
    };
    const [local, session] = stores;
    if (use(local!, write)) use(session!, (store) => store.removeItem(itemName(key)));
    else use(session!, write);
  },
};

/**
 * Erases a record before the chat is loaded: the page that reads the record completes the erasure.
 * @param isOwnedOnly Whether only the record of a verified visitor is erased.
 */
export const noteErasure = (key: string, isOwnedOnly: boolean, erasures = browserErasures): void => {
  const { count, note } = erasures.get(key);
  if (!isOwnedOnly) erasures.set(key, { count: count + 1, note: 'all' });
  else if (!note) erasures.set(key, { count, note: 'owned' });
};
