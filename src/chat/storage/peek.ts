/** Reads what the launcher shows of a stored conversation, without the code of the chat. */
import { getMany } from 'idb-keyval';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import { browserErasures } from './erasures.ts';
import { useStore } from './idb-store.ts';

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
