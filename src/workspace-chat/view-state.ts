/** Derives what the panel shows from the element's properties. */
import { toObject, toOptionalLocalized } from '../api/decode-values.ts';
import { usableUrl } from '../api/usable-url.ts';
import { resolveUrl } from '../chat/configuration.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { formatTag } from '../locale/format-tag.ts';
import type { Language } from '../locale/language.ts';
import { overrideStrings, type Strings } from '../locale/strings.ts';
import { pageUrl } from '../markdown/index.ts';
import { chatExtras } from './chat-extras.ts';
import type { ChatHost } from './chat-host.ts';
import { pageStrings } from './page-strings.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** Whether Enter begins a new line. An on-screen keyboard has no Shift and Enter for that. */
const isEnterNewline = ({ enter }: WorkspaceChatProperties): boolean =>
  enter === 'newline' ||
  (enter !== 'send' && matchMedia('(any-pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches);

/** Returns the absolute URL in an attribute, or an empty string. See `usableUrl`. */
export const urlOf = (name: string, url: string | null): string => (url && usableUrl(name, url, resolveUrl)) || '';

const noLinks: ViewState['links'] = [];

/** The lists that were read, with what is shown of them. */
const readLinks = new WeakMap<object, ViewState['links']>();

/** Returns the links of the page with absolute URLs, six at most. An entry that is no link is left out. */
const linksOf = ({ links }: WorkspaceChatProperties): ViewState['links'] => {
  if (!links) return noLinks;
  const list: readonly unknown[] = links;
  const shown =
    readLinks.get(links) ??
    list
      .flatMap((entry) => {
        const { label, description, ...link } = toObject(entry);
        const url = pageUrl('links', link['url']);
        if (!url) return [];
        return { url, label: toOptionalLocalized(label) ?? url, description: toOptionalLocalized(description) };
      })
      .slice(0, 6);
  readLinks.set(links, shown);
  return shown;
};

export const toViewState = (
  {
    element,
    locale,
    blocks,
    consent,
    isNew,
    feedbackListeners,
    suggestions,
  }: Pick<ChatHost, 'element' | 'locale' | 'blocks' | 'consent' | 'isNew' | 'feedbackListeners' | 'suggestions'>,
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
    dir: isLoaded ? locale.dir : language === 'ar' ? 'rtl' : 'ltr',
    languageTag: formatTag(locale.tag, navigator.languages),
    mode: element.mode,
    heading: element.heading ?? overridden.heading,
    greeting: element.greeting ?? overridden.greeting,
    starters: element.starters ?? overridden.starters,
    links: linksOf(element),
    suggestions,
    consent: consent.missing,
    isNew,
    avatar: urlOf('avatar', element.avatar),
    canExpand: element.expand !== 'off',
    isEnterNewline: isEnterNewline(element),
    teamHours: element.teamHours,
    teamReturn: chatExtras.teamHours.value,
    hasSpeech: element.speech,
    hasRating: element.rating,
    hasNotify: element.notify,
    // Without its file, the menu has no entry for it.
    transcriptUrl: urlOf('transcript-url', chatExtras.mail.value && element.transcriptUrl),
    historyUrl: urlOf('history-url', chatExtras.history.value && element.historyUrl),
    hasFeedback: element.feedback || !feedbackListeners.isEmpty,
    imageHosts: element.imageHosts ?? '',
    linkHosts: element.linkHosts ?? '',
    renderers: blocks.entries,
  };
};
