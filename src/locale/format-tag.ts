/** Chooses how times and numbers are written. */

/**
 * Returns the tag for `Intl`. The browser's languages refine a tag without a region: a page in `en` shows `18:00` to visitors
 * with `en-GB`. Arabic is written with Latin digits, which the texts of a workspace have, unless the tag names others, such as
 * `ar-OM-u-nu-arab`: a reply has one kind of digits.
 */
export const formatTag = (tag: string, languages: readonly string[]): string => {
  const refined = tag.includes('-') ? tag : (languages.find((language) => language.startsWith(`${tag}-`)) ?? tag);
  const lacksDigits = /^ar\b(?!.*-nu-)/.test(refined);
  return lacksDigits ? new Intl.Locale(refined, { numberingSystem: 'latn' }).toString() : refined;
};
