/** Random numbers that depend on a seed alone, so that a run can be repeated. */

/** Returns numbers from 0 to 1, always the same sequence for a seed (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Picks a name with a probability in proportion to its weight. */
export const pickWeighted = <Name extends string>(
  random: () => number,
  weights: Readonly<Record<Name, number>>,
): Name => {
  const entries = Object.entries(weights) as [Name, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries.at(-1)![0];
};

/** Picks an item of a list by a number from 0 to 1. */
export const itemAt = <Item>(items: readonly Item[], dice: number): Item | undefined =>
  items[Math.min(items.length - 1, Math.floor(dice * items.length))];
