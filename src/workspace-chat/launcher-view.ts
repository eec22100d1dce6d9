/** Derives what the launcher shows from the element's properties. */
import type { TemplateResult } from 'lit';
import type { LocaleController } from '../controllers/locale-controller.ts';
import { launcher, type LauncherOptions } from '../elements/launcher.ts';
import type { Language } from '../locale/language.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import type { StringOverrides } from '../locale/strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The page's own texts for a language. */
export const overridesFor = ({ strings }: WorkspaceChatProperties, language: Language): StringOverrides | null => {
  if (!strings) return null;
  return 'en' in strings || 'ar' in strings ? (strings[language] ?? null) : (strings as StringOverrides);
};

export const renderLauncher = (
  element: WorkspaceChatProperties,
  { tag: lang, dir, language }: LocaleController,
  options: Pick<LauncherOptions, 'isOpen' | 'unread' | 'problem' | 'onClick' | 'onIntent'>,
): TemplateResult =>
  launcher({
    ...options,
    strings: { ...launcherStrings[language], ...overridesFor(element, language) },
    dir,
    lang,
    text: element.launcherLabel,
    hasButton: !element.hideLauncher,
  });
