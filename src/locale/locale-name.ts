/** Chooses the file of a further language. */

/** The names of the files in `src/locale/added`. */
const names = /^(?:de|es|f[ar]|h[ei]|i[dt]|ja|ko|nl|p[lt]|ru|tr|u[kr]|zh-Hans)$/;

/**
 * Returns the name of the file with the texts of a language, or null when there is none.
 * @example localeName('zh-CN'); // 'zh-Hans'
 */
export const localeName = (tag: string): string | null => {
  const { language, script } = new Intl.Locale(tag).maximize();
  const name = language === 'zh' ? `zh-${script}` : language;
  if (!names.test(name)) return null;
  return name === 'pt' ? 'pt-BR' : name;
};
