/** Reads the languages that the page has registered. */
import { missingStrings } from '../../locale/missing-strings.ts';
import { registeredLocales } from '../../workspace-chat/registered-locales.ts';
import type { RegisteredLanguage } from './evidence.ts';

export const readLanguages = async (): Promise<RegisteredLanguage[]> =>
  [...registeredLocales()].map(([tag, definition]) => ({ tag, missing: missingStrings(definition) }));
