/** Reads the names of languages as pages write them. */

/** The two languages that the widget speaks. A language that the page registers falls back to one of them. */
export type Language = 'en' | 'ar';

/** The varieties of Arabic: `ar`, and the languages that ISO 639-3 lists below it, with former codes. */
const arabic = /^(?:ara?|a(?:ao|b[hv]|c[mqwxy]|db|df|e[bc]|fb|jp|p[cd]|r[bqsyz]|uz|vl|y[hlnp])|bbz|pga|shu|ssh)$/;

/**
 * Returns the canonical BCP 47 tag of a language as people write it: `ar_EG`, ` ar`, `"ar"`, `ar_EG.UTF-8`, `Arabic`, `العربية`.
 * Returns undefined for anything else.
 */
export const normalizeTag = (text: string | null | undefined): string | undefined => {
  const name = /عربي|\barabic\b/i.exec(text ?? '');
  const tag = name ? 'ar' : /[a-z]{2,}(?:-[a-z\d]+)*/i.exec((text ?? '').replaceAll('_', '-'))?.[0];
  if (!tag) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // The rest of the tag is not one of a language.
    return tag.includes('-') ? normalizeTag(tag.split('-')[0]) : undefined;
  }
};

/**
 * Returns the widget's language for a BCP 47 tag: Arabic for `ar`, its regions and its varieties, otherwise English.
 * @example languageOf('ar-OM'); // 'ar'
 */
export const languageOf = (tag?: string | null): Language =>
  arabic.test(normalizeTag(tag)?.split('-')[0] ?? '') ? 'ar' : 'en';

/**
 * Returns a tag of `language` for `Intl`, which formats in the browser's language where it does not know the language of a tag:
 * `ar-EG` for `arz` (Egyptian Arabic), and `en` for a language without texts.
 */
export const supportedTag = (tag: string, language: Language): string => {
  if (tag.split('-')[0] === language) return tag;
  if (language === 'en') return language;
  const { region, numberingSystem } = new Intl.Locale(tag).maximize();
  return new Intl.Locale(language, { region, numberingSystem }).toString();
};
