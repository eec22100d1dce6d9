/** Derives what the panel shows from the element's properties. */
import type { BlockRegistry } from '../controllers/block-registry.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { Language } from '../locale/language.ts';
import { overrideStrings, type PanelStrings } from '../locale/strings.ts';
import { overridesFor } from './launcher-view.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The element, as its view sees it. */
export interface ViewHost {
  readonly element: WorkspaceChatProperties;
  /** See `ViewState`. */
  readonly languageTag: string;
  readonly blocks: BlockRegistry;
}

export const toViewState = (
  { element, languageTag, blocks }: ViewHost,
  strings: PanelStrings,
  language: Language,
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
    renderers: blocks.renderers,
  };
};
