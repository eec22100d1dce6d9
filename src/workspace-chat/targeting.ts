/** Decides on which pages of a site the chat appears. */

/** Matches a path with a pattern in which `*` stands for any characters. Both are normalized by the URL parser. */
const matches = (path: string, pattern: string): boolean => {
  const parts = new URL(pattern, 'https://site.example').pathname.split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/\W/g, '\\$&')).join('.*')}$`).test(path);
};

/**
 * @param path The path, as in `location.pathname`.
 * @param onlyOn Path patterns, separated by spaces or commas. None means every page.
 * @param notOn Path patterns of pages without the chat. They take precedence.
 */
export const isTargeted = (path: string, onlyOn?: string | null, notOn?: string | null): boolean => {
  const isAmong = (patterns: string) => patterns.split(/[\s,]+/).some((pattern) => pattern && matches(path, pattern));
  return (!onlyOn || isAmong(onlyOn)) && !(notOn && isAmong(notOn));
};
