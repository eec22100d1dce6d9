/** What a tab knows of a stored entry: its epoch, and whether it counts as erased. */
import type { ArchiveOptions } from './archive-options.ts';
import type { Epoch, Erasure } from './erasure-intent.ts';
import { appliesTo } from './merge.ts';
import { decodeEntry, isRecord, toTombstone, type StoredRecord, type Tombstone } from './record.ts';

/** The epoch of a tab. */
export interface TabEpoch extends Epoch {
  /** See `StoredRecord.begunAt`. */
  readonly begunAt: number;
}

/** The epoch of a tab that has found no entry. */
export const noEpoch: TabEpoch = { epoch: null, previous: null, begunAt: 0 };

/** Returns the epoch of an entry without its content, which must not get into an erasure. */
export const toEpoch = (entry: StoredRecord | Tombstone | null): TabEpoch =>
  entry
    ? {
        epoch: entry.epoch,
        previous: entry.previous,
        begunAt: isRecord(entry) ? entry.begunAt : entry.erasedAt,
      }
    : noEpoch;

/** Whether an erasure that is not durable yet applies to the stored entry, or has at least deleted it. */
const isPending = (erasure: Erasure, stored: Epoch | null): boolean =>
  !erasure.isOwnedOnly && (stored === null || appliesTo(erasure, stored));

/** Decodes a stored value. An erasure that is not durable yet counts as one that is. */
export const readEntry = (
  value: unknown,
  { clock, erasures, key }: Pick<ArchiveOptions, 'clock' | 'erasures' | 'key'>,
): StoredRecord | Tombstone | null => {
  const stored = decodeEntry(value, clock.now());
  const pending = erasures.get(key);
  return pending && isPending(pending, stored) ? toTombstone(pending, stored) : stored;
};

/** Returns what is stored in place of a value that this tab leaves as it is: an erasure that is not durable yet applies to it. */
export const withoutErased = (value: unknown, options: Parameters<typeof readEntry>[1]): unknown => {
  const entry = readEntry(value, options);
  return entry && entry.epoch !== (value as Epoch | undefined)?.epoch ? entry : value;
};

/**
 * Returns the epochs that an erasure erases. See `Erasure.known`.
 * @param epoch The epoch of the tab, or null before it has read the record: then any epoch is erased.
 * @param pending An erasure that is not durable yet, of this tab or another one. The new one follows it.
 */
export const knownEpochs = (epoch: Epoch | null, pending: Erasure | null): Erasure['known'] => {
  if (!pending) return epoch && [epoch];
  return epoch && pending.known && [epoch, ...pending.known, toEpoch(toTombstone(pending, null))];
};
