/** Reads what the launcher shows of a stored conversation, without the code of the core. */
import { get } from 'idb-keyval';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import { useStore } from './idb-store.ts';

/** What a record belongs to. */
interface RecordOwner {
  baseUrl: string;
  publishableKey: string;
  agentId: string;
}

export const recordKey = ({ baseUrl, publishableKey, agentId }: RecordOwner): string =>
  [baseUrl, publishableKey, agentId].join(' ');

export const isExpired = (startedAt: number, now: number, lifetime = conversationLifetimeMs): boolean =>
  // `!(a < b)` so that NaN counts as expired.
  // The second condition keeps a clock that was set back from preserving a record for ever.
  !(now - startedAt < lifetime && startedAt - now <= lifetime);

/**
 * Returns the number of unread replies in the stored conversation, or null when none can be read.
 * The number of a verified visitor stays hidden until the page proves the identity.
 */
export const peekUnread = async (key: string, now: number): Promise<number | null> => {
  try {
    const record = await Promise.race([
      get<{ startedAt: number; unread: number; owner: string | null }>(key, useStore),
      // An open() that never settles counts as missing storage.
      new Promise<undefined>((resolve) => setTimeout(resolve, 900)),
    ]);
    if (!record || isExpired(record.startedAt, now)) return null;
    return record.owner === null ? record.unread : 0;
  } catch {
    return null;
  }
};
