/** Returns one member of each item of a list. */
export const valuesOf = <List extends readonly any[], Key extends keyof List[number]>(
  items: List,
  key: Key,
): List[number][Key][] => items.map((item) => item[key]);
