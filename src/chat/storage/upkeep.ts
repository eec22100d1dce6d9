/** Moves a record of version 0.1.0 to its new key, and deletes what was erased, or has expired. */
import type { Clock } from '../../api/clock.ts';
import { isObject, toObject, toText } from '../../api/decode-values.ts';
import { isExpired } from './peek.ts';
import { decodeEntry, isRecord, toTombstone, type StoredRecord, type Tombstone } from './record.ts';
import type { GuardedStorage } from './storage.ts';

export interface UpkeepOptions {
  key: string;
  /** The key of a record of version 0.1.0, which is read once. */
  formerKey?: string | undefined;
  storage: GuardedStorage;
  clock: Clock;
}

/** Moves the record of version 0.1.0. Returns it, with the draft, which was part of it. */
export const moveFormerRecord = async ({
  clock,
  formerKey,
  key,
  storage,
}: UpkeepOptions): Promise<{ entry: StoredRecord | Tombstone | null; draft: string } | null> => {
  if (formerKey === undefined) return null;
  const value = await storage.load(formerKey).catch(() => undefined);
  const entry = decodeEntry(value, clock.now());
  if (entry) await storage.update(key, (current) => current ?? entry).catch(() => {});
  // The caller saves the draft meanwhile.
  if (value !== undefined) void storage.update(formerKey, () => undefined).catch(() => {});
  return { entry, draft: toText(toObject(value)['draft']) };
};

/**
 * Replaces what is stored with a smaller number. Settles when that is durable, or the storage takes too long.
 * @param successor See `TabNews`. Their record stays, unless it was erased before.
 */
export const eraseRecord = async (
  { clock, formerKey, key, storage }: UpkeepOptions,
  erasureCount: number,
  successor?: string,
): Promise<void> => {
  const erased = storage.erase(key, (value) => {
    const stored = decodeEntry(value, clock.now());
    const before = stored?.erasureCount ?? 0;
    if (before >= erasureCount) return value;
    const isKept = isRecord(stored) && stored.owner === successor && before === erasureCount - 1;
    return isKept ? { ...stored, erasureCount } : toTombstone(erasureCount);
  });
  const former = formerKey === undefined ? null : storage.erase(formerKey, () => undefined);
  await storage.soon(Promise.all([erased, former]), null);
};

/** Returns what may stay of a stored value: the content of an expired conversation goes, undelivered text stays. */
const pruneValue = (value: unknown, now: number): unknown => {
  const { startedAt, erasedAt } = isObject(value) ? value : {};
  if (typeof erasedAt === 'number' && isExpired(erasedAt, now)) return undefined;
  if (typeof startedAt !== 'number' || (startedAt <= now && !isExpired(startedAt, now))) return value;
  return decodeEntry(value, now) ?? undefined;
};

/** Deletes the expired records of all agents and keys. */
export const pruneRecords = async ({ storage, clock }: UpkeepOptions): Promise<void> => {
  for (const key of (await storage.soon(storage.keys(), null)) ?? [])
    await storage.soon(
      storage.update(key, (value) => pruneValue(value, clock.now())),
      null,
    );
};
