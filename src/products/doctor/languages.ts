/** Reads the languages that the page has registered, and the one of the chat. */
import { registeredLocales } from '../../controllers/locale-controller.ts';
import { languageOf, normalizeTag } from '../../locale/language.ts';
import type { LocaleDefinition } from '../../locale/locale-definition.ts';
import type { Strings } from '../../locale/strings.ts';
import type { RegisteredLanguage } from './evidence.ts';

/**
 * Returns the keys of the strings that are shown in English, those of tables as `table.key`.
 * @param english All strings in English.
 */
export const missingStrings = ({ strings }: LocaleDefinition, english: Strings): string[] => {
  const own: Record<string, unknown> = { ...strings };
  return Object.entries(english).flatMap(([key, value]) => {
    if (own[key] === undefined) return [key];
    // The forms of a counted text belong together. Not `isTable`, which is in the chat's file: the doctor runs without that.
    if (typeof value !== 'object' || Array.isArray(value) || 'other' in value) return [];
    const table = Object(own[key]) as Record<string, unknown>;
    return Object.keys(value)
      .filter((name) => table[name] === undefined)
      .map((name) => `${key}.${name}`);
  });
};

/** @param loadEnglish Loads the texts that a language must have. */
export const readLanguages = async (loadEnglish: () => Promise<Strings>): Promise<RegisteredLanguage[]> => {
  const { entries } = registeredLocales;
  if (entries.size === 0) return [];
  const english = await loadEnglish();
  return [...entries].map(([tag, definition]) => ({ tag, missing: missingStrings(definition, english) }));
};

/**
 * Returns the tag of the chat's language if the chat has no texts in it, and shows English ones.
 * @param locale What the page has chosen for the chat, or else the page's own language.
 */
export const readMissingLanguage = (locale: string | null | undefined): string | null => {
  const tag = normalizeTag(locale || document.documentElement.lang);
  if (!tag || languageOf(tag) === 'ar') return null;
  return ['en', ...registeredLocales.entries.keys()].some((known) => `${tag}-`.startsWith(`${known}-`)) ? null : tag;
};
