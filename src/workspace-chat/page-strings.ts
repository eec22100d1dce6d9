/** The texts of the page: those of a registered language, and over them those of the element's `strings`. */
import type { LocaleController } from '../controllers/locale-controller.ts';
import { launcherStrings, type LauncherStrings } from '../locale/launcher-strings.ts';
import { overrideStrings, type StringOverrides } from '../locale/strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The page's own texts for a language, by its key in the element's `strings`. */
const overridesFor = ({ strings }: WorkspaceChatProperties, key: string): StringOverrides | null => {
  if (!strings) return null;
  return 'en' in strings || 'ar' in strings || key in strings
    ? ((strings as Record<string, StringOverrides>)[key] ?? null)
    : strings;
};

/** @param locale The language: a registered one has a definition. */
export const pageStrings = (
  element: WorkspaceChatProperties,
  { definition, key }: Pick<LocaleController, 'definition' | 'key'>,
): StringOverrides | null => {
  const overrides = overridesFor(element, key);
  // The page may override a text that the registered language lacks.
  return definition ? { ...overrides, ...overrideStrings<StringOverrides>(definition.strings, overrides) } : overrides;
};

/** The texts of the launcher, with those of the page. */
export const launcherStringsFor = (element: WorkspaceChatProperties, locale: LocaleController): LauncherStrings =>
  overrideStrings(launcherStrings[locale.language], pageStrings(element, locale));
