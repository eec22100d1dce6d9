/** Keeps the numbers of a right-to-left text in order where `renderRuns` cannot be used: in the launcher, and in attributes and plain texts. */

/** From a letter or a digit to the last one before the next right-to-left letter or bracket. */
const runPattern = /(?<![#+])[#+]*[a-z\d\u00c0-\u024f](?:[^\u0590-\u08ff()]*[a-z\d%+#\u00c0-\u024f])?/gi;

/**
 * Returns a text in which a phone number, a date or a code, with the Latin words around it, is isolated from the right-to-left
 * letters, which would reverse it. Any other text is returned as it is.
 */
export const isolatedNumbers = (text: string): string =>
  /[\u0590-\u08ff]/.test(text) ? text.replace(runPattern, '\u2066$&\u2069') : text;
