/** Reads the languages that the page has registered. */
import { registeredLocales } from '../../controllers/locale-controller.ts';
import { missingStrings } from '../../locale/missing-strings.ts';
import type { Strings } from '../../locale/strings.ts';
import type { RegisteredLanguage } from './evidence.ts';

/** @param loadEnglish Loads the texts that a language must have. */
export const readLanguages = async (loadEnglish: () => Promise<Strings>): Promise<RegisteredLanguage[]> => {
  if (registeredLocales.size === 0) return [];
  const english = await loadEnglish();
  return [...registeredLocales].map(([tag, definition]) => ({ tag, missing: missingStrings(definition, english) }));
};
