/** Derives what the panel shows from the element's properties. */
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import type { Registry } from '../controllers/registry.ts';
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
}

/** The texts of the page: those of a registered language, and over them those of the element's `strings`. */
export const pageStrings = (
  element: WorkspaceChatProperties,
  { definition, key }: LocaleController,
): StringOverrides | null => {
  const overrides = overridesFor(element, key);
  return definition ? overrideStrings<StringOverrides>(definition.strings, overrides) : overrides;
};

export const toViewState = (
  { element, locale, blocks }: ViewHost,
  strings: PanelStrings,
  language: Language,
): ViewState => {
  const overrides = pageStrings(element, locale);
  const overridden = overrideStrings(strings, overrides);
  return {
    strings: overridden,
    overrides,
    language,
    locale: locale.key,
    registered: locale.registry.entries,
    pluralRule: locale.pluralRule,
    // While another language is loaded, the strings and their direction stay those of the former one.
    dir: locale.definition?.direction ?? (language === 'ar' ? 'rtl' : 'ltr'),
    languageTag: locale.tag,
    mode: element.mode,
    heading: element.heading ?? overridden.heading,
    greeting: element.greeting ?? overridden.greeting,
    starters: startersOf(element) ?? overridden.starters,
    imageHosts: element.imageHosts ?? '',
    linkHosts: element.linkHosts ?? '',
    renderers: blocks.entries,
  };
};
