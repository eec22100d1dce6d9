/** What the launcher needs to know of a stored conversation, without the code that carries it on. */
import { get } from 'idb-keyval';
import { openStore } from './idb-store.ts';

/** A conversation's life in milliseconds (the contract's "Limits": 24 hours). */
export const lifetime = 24 * 60 * 60 * 1000;

export const recordKey = (baseUrl: string, publishableKey: string, agentId: string): string =>
  [baseUrl, publishableKey, agentId].join(' ');

export const isExpired = (startedAt: number, now: number): boolean =>
  // A clock that was set back must not keep a record for ever.
  // And what is no number is no age.
  !(now - startedAt < lifetime && startedAt - now <= lifetime);

/**
 * The count of unread answers when a conversation is stored; null when there is none, or none that can be read.
 * A known visitor's count stays hidden until that visitor is proven.
 */
export const peekUnread = async (key: string, now: number): Promise<number | null> => {
  try {
    const record = await Promise.race([
      get<{ startedAt: number; unread: number; owner: string | null }>(key, openStore()),
      // A database that never opens is none.
      new Promise<undefined>((resolve) => setTimeout(resolve, 900)),
    ]);
    if (!record || isExpired(record.startedAt, now)) return null;
    return record.owner === null ? record.unread : 0;
  } catch {
    return null;
  }
};
