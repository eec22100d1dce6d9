/** Keeps what is read for every turn and changes rarely in memory. A revision in the database says whether it is still valid. */

interface Entry<Value> {
  revision: string;
  value: Promise<Value>;
  size: number;
}

export interface RevisionCache<Value> {
  /**
   * Returns the value of a key. A value that was loaded for another revision is loaded again. Read the revision before: a value is
   * at least as new as the revision that it is loaded for.
   */
  get(key: string, revision: string, load: () => Promise<Value>): Promise<Value>;
}

/** Evicts the values that were not used for the longest time when the sum of the sizes is above `maxSize`. */
export const createRevisionCache = <Value>(
  maxSize: number,
  sizeOf: (value: Value) => number = () => 1,
): RevisionCache<Value> => {
  // A map iterates in the order of insertion, so the first entry is the one that was not used for the longest time.
  const entries = new Map<string, Entry<Value>>();
  let total = 0;

  const remove = (key: string, entry: Entry<Value>): void => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.size;
  };

  const add = (key: string, revision: string, value: Promise<Value>): void => {
    const entry: Entry<Value> = { revision, value, size: 0 };
    entries.set(key, entry);
    value.then(
      (loaded) => {
        if (entries.get(key) !== entry) return;
        entry.size = sizeOf(loaded);
        total += entry.size;
        for (const [oldest, each] of entries) {
          if (total <= maxSize) break;
          if (each !== entry) remove(oldest, each);
        }
      },
      () => remove(key, entry),
    );
  };

  return {
    get(key, revision, load) {
      const entry = entries.get(key);
      if (entry) remove(key, entry);
      if (entry?.revision === revision) {
        entries.set(key, entry);
        total += entry.size;
        return entry.value;
      }
      const value = load();
      add(key, revision, value);
      return value;
    },
  };
};
