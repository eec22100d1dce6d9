/** Chooses the file of a further language. */

/** The names of the files in `src/locale/added`. */
const names = /^(?:de|es|f[ar]|h[ei]|i[dt]|ja|ko|nl|p[lt]|ru|tr|u[kr]|zh-Hans)$/;

/**
 * Returns the name of the file with the texts of a language, or null when there is none.
 * @param tag A canonical BCP 47 tag.
 * @example localeName('zh-CN'); // 'zh-Hans'
 */
export const localeName = (tag: string): string | null => {
  const [language = ''] = tag.split('-');
  // The first `maximize` of a page takes 80 ms of a slow phone, so it is not for each page in English.
  const name = language === 'zh' ? `zh-${new Intl.Locale(tag).maximize().script}` : language;
  if (!names.test(name)) return null;
  return name === 'pt' ? 'pt-BR' : name;
};

/** Whether a language of `src/locale/added` is written from right to left. */
export const isRightToLeft = (tag: string): boolean => /^(?:fa|he|ur)\b/.test(tag);
