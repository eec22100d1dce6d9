/** Derives what the panel shows from the element's properties. */
import { resolveUrl } from '../chat/configuration.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import type { Registry } from '../controllers/registry.ts';
import { formatTag } from '../locale/format-tag.ts';
import type { Language } from '../locale/language.ts';
import { overrideStrings, type PanelStrings, type StringOverrides } from '../locale/strings.ts';
import { overridesFor } from './launcher-view.ts';
import type { WorkspaceChatProperties } from './properties.ts';
import { startersOf } from './starters.ts';

/** The element, as its view sees it. */
export interface ViewHost {
  readonly element: WorkspaceChatProperties;
  readonly locale: LocaleController;
  readonly blocks: Registry<BlockRenderer>;
  /** Whether the page listens for feedback. */
  readonly hasFeedbackListener: boolean;
}

/** The texts of the page: those of a registered language, and over them those of the element's `strings`. */
export const pageStrings = (
  element: WorkspaceChatProperties,
  { definition, key }: Pick<LocaleController, 'definition' | 'key'>,
): StringOverrides | null => {
  const overrides = overridesFor(element, key);
  // The page may override a text that the registered language lacks.
  return definition ? { ...overrides, ...overrideStrings<StringOverrides>(definition.strings, overrides) } : overrides;
};

export const toViewState = (
  { element, locale, blocks, hasFeedbackListener }: ViewHost,
  strings: PanelStrings,
  language: Language,
): ViewState => {
  // While the strings of the next language are loaded, everything stays in the former one.
  const isLoaded = locale.language === language;
  const { definition, key } = isLoaded ? locale : { definition: undefined, key: language };
  const overrides = pageStrings(element, { definition, key });
  const overridden = overrideStrings(strings, overrides);
  return {
    strings: overridden,
    overrides,
    language,
    locale: key,
    registered: locale.registry.entries,
    pluralRule: locale.pluralRule,
    dir: definition?.direction ?? (language === 'ar' ? 'rtl' : 'ltr'),
    languageTag: formatTag(locale.tag, navigator.languages),
    mode: element.mode,
    heading: element.heading ?? overridden.heading,
    greeting: element.greeting ?? overridden.greeting,
    starters: startersOf(element) ?? overridden.starters,
    avatar: (element.avatar && resolveUrl(element.avatar)) || '',
    canExpand: element.expand !== 'off',
    hasSpeech: element.speech,
    hasFeedback: element.feedback || hasFeedbackListener,
    imageHosts: element.imageHosts ?? '',
    linkHosts: element.linkHosts ?? '',
    renderers: blocks.entries,
  };
};
