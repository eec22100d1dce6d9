/** Derives what the launcher and the panel show from the element's properties. */
import type { TemplateResult } from 'lit';
import type { BlockRenderer } from '../controllers/block-registry.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import { launcher, type LauncherOptions } from '../elements/launcher.ts';
import type { Language } from '../locale/language.ts';
import { launcherStrings } from '../locale/launcher-strings.ts';
import { overrideStrings, type PanelStrings, type StringOverrides } from '../locale/strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The page's own texts for a language. */
const overridesFor = ({ strings }: WorkspaceChatProperties, language: Language): StringOverrides | null => {
  if (!strings) return null;
  return 'en' in strings || 'ar' in strings ? (strings[language] ?? null) : (strings as StringOverrides);
};

export const toViewState = (
  element: WorkspaceChatProperties,
  strings: PanelStrings,
  language: Language,
  languageTag: string,
  renderers: ReadonlyMap<string, BlockRenderer>,
): ViewState => {
  const overrides = overridesFor(element, language);
  const overridden = overrideStrings(strings, overrides);
  return {
    strings: overridden,
    overrides,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    languageTag,
    mode: element.mode,
    heading: element.heading ?? overridden.heading,
    greeting: element.greeting ?? overridden.greeting,
    starters: element.starters ?? overridden.starters,
    imageHosts: element.imageHosts ?? '',
    linkHosts: element.linkHosts ?? '',
    renderers,
  };
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
    hasButton: !element.hideLauncher,
  });
