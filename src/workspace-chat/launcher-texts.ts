/** The texts of the launcher, with those of the page. */
import type { LocaleController } from '../controllers/locale-controller.ts';
import { launcherStrings, type LauncherStrings } from '../locale/launcher-strings.ts';
import type { StringOverrides } from '../locale/strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The page's own texts for a language, by its key in the element's `strings`. */
export const overridesFor = ({ strings }: WorkspaceChatProperties, key: string): StringOverrides | null => {
  if (!strings) return null;
  return 'en' in strings || 'ar' in strings || key in strings
    ? ((strings as Record<string, StringOverrides>)[key] ?? null)
    : strings;
};

export const launcherStringsFor = (
  element: WorkspaceChatProperties,
  { language, definition, key }: LocaleController,
): LauncherStrings => ({ ...launcherStrings[language], ...definition?.strings, ...overridesFor(element, key) });
