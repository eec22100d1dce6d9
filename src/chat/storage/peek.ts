/** What the launcher reads of a stored conversation, and its note of an erasure, without the code of the chat. */
import { getMany } from 'idb-keyval';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import { useStore } from './idb-store.ts';
import { attempt } from './tab-flag.ts';

/** What a record belongs to. */
interface RecordOwner {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

/** The key of a record of version 0.1.0, whose format differs. It also names the lock and the channel of the tabs. */
export const formerRecordKey = ({ baseUrl, publishableKey, agentId }: RecordOwner): string =>
  [baseUrl, publishableKey, agentId].join(' ');

export const recordKey = (owner: RecordOwner): string => `${formerRecordKey(owner)} 2`;

export const isExpired = (startedAt: number, now: number, lifetime = conversationLifetimeMs): boolean =>
  // `!(a < b)` so that NaN counts as expired. A time in the future is of a clock that was ahead: see `decodeEntry`.
  !(now - startedAt < lifetime);

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

type ItemStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const decode = (text: string | null): StoredErasures => {
  const [count, note] = (text ?? '').split(' ');
  return { count: Number(count) || 0, note: note === 'all' || note === 'owned' ? note : null };
};

/** @param session The store of the tab, which is used where the shared one is full. */
export const erasuresIn = (local: () => ItemStore, session: () => ItemStore): Erasures => ({
  get(key) {
    const [shared, own] = [local, session].map((open) => decode(attempt(() => open().getItem(itemName(key)))));
    return { count: Math.max(shared!.count, own!.count), note: shared!.note ?? own!.note };
  },
  set(key, { count, note }) {
    const write = (open: () => ItemStore) => {
      open().setItem(itemName(key), note ? `${count} ${note}` : `${count}`);
      return true;
    };
    if (attempt(() => write(local))) attempt(() => session().removeItem(itemName(key)));
    else attempt(() => write(session));
  },
});

export const browserErasures = erasuresIn(
  () => localStorage,
  () => sessionStorage,
);

/** What the launcher reads of a record. */
interface PeekedRecord {
  startedAt: number;
  unread: number;
  owner: string | null;
  erasureCount?: number;
}

/**
 * Returns the number of unread replies in the stored conversation, or null when none can be read.
 * The number of a verified visitor stays hidden until the page proves the identity.
 */
export const peekUnread = async (configuration: RecordOwner, now: number): Promise<number | null> => {
  const key = recordKey(configuration);
  try {
    const records = await Promise.race([
      getMany<PeekedRecord | undefined>([key, formerRecordKey(configuration)], useStore),
      // An open() that never settles counts as missing storage.
      new Promise<[]>((resolve) => setTimeout(resolve, 900, [])),
    ]);
    const record = records.find(Boolean);
    if (!record || isExpired(record.startedAt, now)) return null;
    const { count, note } = browserErasures.get(key);
    const isErased = count > (record.erasureCount ?? 0) || (note === 'owned' && record.owner !== null);
    return isErased ? null : record.owner === null ? record.unread : 0;
  } catch {
    return null;
  }
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
