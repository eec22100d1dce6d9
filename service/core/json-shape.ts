/** Shapes of JSON values that `JSON.parse` accepts, and that other functions cannot handle. */

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The nesting of a value that others send. Most functions that handle the value call themselves for each level, and a value of
 * thousands of levels exceeds the stack.
 */
export const maxJsonDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each));
};

/**
 * Whether an object has the member `__proto__`. `JSON.parse` keeps it, but most libraries leave it out of a copy, so it would be lost
 * without a sign.
 */
export const hasPrototypeMember = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeMember);
};
