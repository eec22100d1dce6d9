/** The texts of the page: those of a registered language, and over them those of the element's `strings`. */
import type { LocaleController } from '../controllers/locale-controller.ts';
import { overrideStrings, type StringOverrides } from '../locale/strings.ts';
import { overridesFor } from './launcher-texts.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** @param locale The language: a registered one has a definition. */
export const pageStrings = (
  element: WorkspaceChatProperties,
  { definition, key }: Pick<LocaleController, 'definition' | 'key'>,
): StringOverrides | null => {
  const overrides = overridesFor(element, key);
  // The page may override a text that the registered language lacks.
  return definition ? { ...overrides, ...overrideStrings<StringOverrides>(definition.strings, overrides) } : overrides;
};
