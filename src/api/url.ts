/** Returns the parsed URL, or null. `URL.parse` and `URL.canParse` need newer browsers than the oldest supported ones. */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};
