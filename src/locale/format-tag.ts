/** Chooses how times and numbers are written. */

import { numberTag } from './counted-text.ts';

/**
 * Returns the tag for `Intl`. The browser's languages refine a tag without a region: a page in `en` shows `18:00` to visitors
 * with `en-GB`. Arabic has the Gregorian calendar, which the texts of a workspace have, unless the tag names another one: for
 * Saudi Arabia, some browsers have the Islamic one.
 */
export const formatTag = (tag: string, languages: readonly string[]): string => {
  const refined = tag.includes('-') ? tag : (languages.find((language) => language.startsWith(`${tag}-`)) ?? tag);
  const written = numberTag(refined);
  return /^ar\b(?!.*-ca-)/.test(tag) ? new Intl.Locale(written, { calendar: 'gregory' }).toString() : written;
};
