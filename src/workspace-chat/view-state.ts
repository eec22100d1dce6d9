/** Derives what the panel shows from the element's properties. */
import { resolveUrl } from '../chat/configuration.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { formatTag } from '../locale/format-tag.ts';
import type { Language } from '../locale/language.ts';
import { overrideStrings, type Strings } from '../locale/strings.ts';
import { chatExtras } from './chat-extras.ts';
import type { ChatHost } from './chat-host.ts';
import { pageStrings } from './page-strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** Returns the page's starters as texts, or null without a list. The same list gives the same result. */
const startersOf = ({ starters }: WorkspaceChatProperties): readonly string[] | null => {
  if (!Array.isArray(starters)) return null;
  return starters.every((starter) => typeof starter === 'string') ? starters : starters.map(String);
};

/** Whether Enter begins a new line. An on-screen keyboard has no Shift and Enter for that. */
const isEnterNewline = ({ enter }: WorkspaceChatProperties): boolean =>
  enter === 'newline' ||
  (enter !== 'send' && matchMedia('(any-pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches);

const urlOf = (url: string | null): string => (url && resolveUrl(url)) || '';

const noLinks: ViewState['links'] = [];

export const toViewState = (
  {
    element,
    locale,
    blocks,
    consent,
    isNew,
    hasFeedbackListener,
    suggestions,
  }: Pick<ChatHost, 'element' | 'locale' | 'blocks' | 'consent' | 'isNew' | 'hasFeedbackListener' | 'suggestions'>,
  strings: Strings,
  language: Language,
): ViewState => {
  // While the strings of the next language are loaded, everything stays in the former one.
  const isLoaded = locale.language === language;
  const { definition, key } = isLoaded ? locale : { definition: undefined, key: language };
  const overridden = overrideStrings(strings, pageStrings(element, { definition, key }));
  return {
    strings: overridden,
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
    links: element.links?.slice(0, 6) ?? noLinks,
    suggestions,
    consent: consent.missing,
    isNew,
    avatar: urlOf(element.avatar),
    canExpand: element.expand !== 'off',
    isEnterNewline: isEnterNewline(element),
    teamHours: element.teamHours,
    teamReturn: chatExtras.teamHours.value,
    hasSpeech: element.speech,
    hasRating: element.rating,
    hasNotify: element.notify,
    // Without its file, the menu has no entry for it.
    transcriptUrl: urlOf(chatExtras.mail.value && element.transcriptUrl),
    historyUrl: urlOf(chatExtras.history.value && element.historyUrl),
    hasFeedback: element.feedback || hasFeedbackListener,
    imageHosts: element.imageHosts ?? '',
    linkHosts: element.linkHosts ?? '',
    renderers: blocks.entries,
  };
};
