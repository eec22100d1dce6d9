/** Combines the order by terms with the order by meaning: reciprocal rank fusion. */

/** The constant of the method's authors. With it, the first ranks do not outweigh all others. */
const rankConstant = 60;

/** Each list has the best item first. An item without a place in a list gets nothing for it. */
export const fuseRanks = <Item>(lists: Item[][]): Item[] => {
  const values = new Map<Item, number>();
  for (const list of lists) {
    for (const [rank, item] of list.entries()) {
      values.set(item, (values.get(item) ?? 0) + 1 / (rankConstant + rank + 1));
    }
  }
  return [...values].sort(([, a], [, b]) => b - a).map(([item]) => item);
};
