/** Parses the `starters` attribute. */
export const parseStarters = (value: string | null): readonly string[] | null => {
  if (value === null) return null;
  try {
    const list: unknown = JSON.parse(value);
    if (Array.isArray(list)) return list.map(String);
  } catch {
    // Reported below, together with JSON that is not an array.
  }
  console.error('workspace-chat: “starters” must be a JSON array of strings, such as ["When are you open?"].');
  return null;
};
