/** Writes JSON in one form, so that two texts are equal when their values are. */

/** Members in the order of their names, and no white space. */
const write = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`;
};

/** Returns a text that is no JSON, such as an empty one, as it is. */
export const canonicalJson = (text: string): string => {
  try {
    return write(JSON.parse(text));
  } catch {
    return text;
  }
};
