/** Which pages of a site the chat is on. */

/** A path, with `*` for any characters. The URL's parser writes it as `location.pathname` would be written. */
const matches = (path: string, pattern: string): boolean => {
  const parts = new URL(pattern, 'https://site.example').pathname.split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/\W/g, '\\$&')).join('.*')}$`).test(path);
};

/**
 * @param path As in `location.pathname`.
 * @param onlyOn Path patterns between spaces or commas; none for every page.
 * @param notOn The same; these win.
 */
export const isTargeted = (path: string, onlyOn?: string | null, notOn?: string | null): boolean => {
  const isAmong = (patterns: string) => patterns.split(/[\s,]+/).some((pattern) => pattern && matches(path, pattern));
  return (!onlyOn || isAmong(onlyOn)) && !(notOn && isAmong(notOn));
};
