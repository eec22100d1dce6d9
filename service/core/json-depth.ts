/**
 * The nesting of JSON values. `JSON.parse` accepts any depth, but most functions that handle the value call themselves for each
 * level, and a value of thousands of levels exceeds the stack.
 */

/** The nesting of a value that others send. */
export const maxJsonDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
};
