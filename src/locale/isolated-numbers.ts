/** Keeps the numbers of a right-to-left text in order where the patterns of `markdown/runs.ts` cannot: the launcher is without them. */

/**
 * Returns a text in which a phone number, a date or a code, with the Latin words around it, is isolated from the right-to-left
 * letters, which would reverse it. Any other text is returned as it is.
 */
export const isolatedNumbers = (text: string): string =>
  /[\u05d0-\u06ff]/.test(text) ? text.replace(/[#+\w][+-:\w\s]*[\w%]/g, '\u2066$&\u2069') : text;
