/** Makes an erasure durable, and removes what has expired. Loaded when it is needed: until then the intent counts. */
import { withTimeout, type Clock } from '../../api/clock.ts';
import type { Erasure } from './erasure-intent.ts';
import type { Erasures } from './erasures.ts';
import { isObject } from '../../api/decode-values.ts';
import { appliesTo } from './merge.ts';
import { isExpired } from './peek.ts';
import { decodeEntry, isRecord, toTombstone } from './record.ts';
import type { ConversationStorage, GuardedStorage } from './storage.ts';

export interface EraseOptions {
  key: string;
  storage: GuardedStorage;
  erasures: Erasures;
  clock: Clock;
}

/** The timeout of an attempt, in milliseconds. */
const timeout = 5_000;

/** Returns what is left of a stored value. */
const erasedValue = (value: unknown, erasure: Erasure, { key, erasures, clock }: EraseOptions): unknown => {
  const { epoch, isOwnedOnly } = erasure;
  const stored = decodeEntry(value, clock.now());
  // Replaced by a newer erasure, or completed by another tab, which may have started the next conversation.
  if (erasures.get(key)?.epoch !== epoch || (stored && !appliesTo(erasure, stored))) return value;
  if (isOwnedOnly && !(isRecord(stored) && stored.owner !== null)) return value;
  return toTombstone(erasure, stored);
};

/** Replaces the value by `change`, or deletes it when nothing can be written. Returns whether it could be written. */
const replaceOrDelete = async (
  storage: ConversationStorage,
  change: (value: unknown) => unknown,
  { key, clock }: EraseOptions,
): Promise<boolean> => {
  const remove = (value: unknown) => (change(value) === value ? value : undefined);
  // A closed connection is opened again at the second attempt. A full storage can still delete.
  for (const attempt of [change, change, remove]) {
    try {
      const done = storage.update(key, attempt).then(() => attempt !== remove);
      return await withTimeout(clock, timeout, done, false);
    } catch {
      // The next attempt.
    }
  }
  return false;
};

/**
 * Erases the record from the browser's storage, also when that is not used or has failed. The intent is dropped when that is
 * durable, or when the record has expired in any case.
 * @returns True, whether or not it is durable.
 */
export const completeErasure = async (erasure: Erasure, options: EraseOptions): Promise<true> => {
  const { key, storage, erasures, clock } = options;
  const { eraser } = storage;
  const isDone = !eraser || (await replaceOrDelete(eraser, (value) => erasedValue(value, erasure, options), options));
  if (isDone || isExpired(erasure.erasedAt, clock.now())) erasures.clear(key, erasure.epoch);
  return true;
};

/** Returns what may remain of a stored value: expired conversations and old tombstones go, undelivered text stays. */
const pruneValue = (value: unknown, now: number): unknown => {
  const time = isObject(value) ? (value['startedAt'] ?? value['erasedAt']) : null;
  if (typeof time !== 'number' || !isExpired(time, now)) return value;
  return decodeEntry(value, now) ?? undefined;
};

/** Removes the expired records of all agents and keys, and old tombstones. */
export const pruneStorage = async ({ storage, clock }: EraseOptions): Promise<void> => {
  for (const key of await storage.keys()) await storage.update(key, (value) => pruneValue(value, clock.now()));
};
