/** Shrinks a failing sequence of steps: drops steps while it still fails in the same way (delta debugging). */

export interface ShrinkOptions<Item> {
  /** Whether these items still fail in the same way. */
  stillFails(items: readonly Item[]): Promise<boolean>;
  /** The highest number of attempts. */
  maxAttempts: number;
  /** Returns whether the time for attempts is over. */
  isOver?: () => boolean;
}

const without = <Item>(items: readonly Item[], start: number, count: number): readonly Item[] => [
  ...items.slice(0, start),
  ...items.slice(start + count),
];

/** Returns a part of `items`, in the same order, that still fails. It is minimal unless the attempts ran out. */
export const shrink = async <Item>(
  items: readonly Item[],
  { stillFails, maxAttempts, isOver = () => false }: ShrinkOptions<Item>,
): Promise<readonly Item[]> => {
  let current = items;
  let attempts = 0;
  for (let size = Math.ceil(current.length / 2); size > 0;) {
    let hasDropped = false;
    // From the end: the last steps depend on the first ones, so they can be dropped more often.
    for (let start = current.length - size; start > -size; start -= size) {
      if (attempts >= maxAttempts || isOver()) return current;
      const from = Math.max(0, start);
      const shorter = without(current, from, start + size - from);
      if (shorter.length === current.length || shorter.length === 0) continue;
      attempts++;
      if (!(await stillFails(shorter))) continue;
      current = shorter;
      hasDropped = true;
    }
    if (size === 1 && !hasDropped) return current;
    size = size === 1 ? 1 : Math.ceil(size / 2);
  }
  return current;
};
