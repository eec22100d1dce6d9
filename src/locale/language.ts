/** The two languages that the widget speaks. A language that the page registers falls back to one of them. */
export type Language = 'en' | 'ar';

/**
 * Returns the widget's language for a BCP 47 tag: Arabic for `ar` and its regions, otherwise English.
 * @example languageOf('ar-OM'); // 'ar'
 */
export const languageOf = (tag = ''): Language => (/^ar\b/i.test(tag) ? 'ar' : 'en');
