/** Chooses how times and numbers are written. */

import { numberTag } from './counted-text.ts';

/**
 * Returns the tag for `Intl`. The browser's languages refine a tag without a region: a page in `en` shows `18:00` to visitors
 * with `en-GB`.
 */
export const formatTag = (tag: string, languages: readonly string[]): string => {
  const refined = tag.includes('-') ? tag : (languages.find((language) => language.startsWith(`${tag}-`)) ?? tag);
  return numberTag(refined);
};
