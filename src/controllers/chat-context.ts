/** The context of the panel's elements: the conversation, how it is shown, and the actions that leave the panel. */
import { createContext } from '@lit/context';
import type { LinksBlock } from '../../contract/wire.ts';
import type { Conversation } from '../chat/conversation.ts';
import { Store } from '../chat/state/store.ts';
import type { PluralRule } from '../locale/counted-text.ts';
import type { Language } from '../locale/language.ts';
import type { LocaleDefinition } from '../locale/locale-definition.ts';
import type { Strings } from '../locale/strings.ts';
import type { TeamHours, teamReturn } from '../locale/team-hours.ts';
import type { BlockRenderer } from './block-renderer.ts';

/** What a visitor thinks of a reply, as the API writes it (the contract's "Message"). */
export type FeedbackRating = 1 | -1;

export type Mode = 'floating' | 'inline' | 'fullscreen';

/** How the conversation is shown. Derived from the element's attributes and locale. */
export interface ViewState {
  strings: Strings;
  /** The language of the widget's own strings. */
  language: Language;
  /** The tag of the registered language, or else `language`. */
  locale: string;
  /** The languages that the page has registered, by tag. */
  registered: ReadonlyMap<string, LocaleDefinition>;
  pluralRule: PluralRule;
  /** The writing direction of the strings. */
  dir: 'ltr' | 'rtl';
  /** The BCP 47 tag for `Intl`: see `formatTag`. */
  languageTag: string;
  mode: Mode;
  heading: string;
  greeting: string;
  starters: readonly string[];
  /** What there is to read before the first message. */
  links: LinksBlock['links'];
  /** Messages that the page offers below the reply with the key `afterKey`, until the next one. */
  suggestions: { readonly texts: readonly string[]; readonly afterKey: string | undefined } | null;
  /** What the visitor has to agree to before the first message, or null. */
  consent: { readonly text?: string; readonly url?: string } | null;
  /** Whether no conversation was stored when the page loaded: the first paint shows the greeting, before the storage is read. */
  isNew: boolean;
  /** The URL of the assistant's picture, or an empty string. */
  avatar: string;
  /** Whether the menu offers to make the panel wide. */
  canExpand: boolean;
  /** Whether Enter begins a new line, and only the button sends. */
  isEnterNewline: boolean;
  /** The team's opening times, or null. */
  teamHours: TeamHours | null;
  /** See `teamReturn`. Null while its file is not loaded. */
  teamReturn: typeof teamReturn | null;
  /** Whether dictation and reading aloud are offered. */
  hasSpeech: boolean;
  /** Whether the visitor can rate replies. */
  hasFeedback: boolean;
  /** Whether the visitor is asked for a rating at the end. */
  hasRating: boolean;
  /** Whether a notice is offered for a hidden page. */
  hasNotify: boolean;
  /** The absolute URL of the site's backend that sends the transcript by e-mail, or an empty string. */
  transcriptUrl: string;
  /** The absolute URL of the site's backend with the past conversations, or an empty string. */
  historyUrl: string;
  /** The hosts that images may come from, separated by spaces. */
  imageHosts: string;
  /** A link to any other host shows its host. Separated by spaces. */
  linkHosts: string;
  /** The page's own renderers, by block type. */
  renderers: ReadonlyMap<string, BlockRenderer>;
}

export type ViewStore = Store<ViewState, Partial<ViewState>>;

export const createViewStore = (state: ViewState): ViewStore =>
  new Store<ViewState, Partial<ViewState>>(state, (previous, change) => {
    const isChanged = Object.entries(change).some(([key, value]) => previous[key as keyof ViewState] !== value);
    return isChanged ? { ...previous, ...change } : previous;
  });

export interface ChatContext {
  conversation: Conversation;
  view: ViewStore;
  /** Opens the panel. */
  open(): void;
  /** Closes the panel. */
  close(): void;
  /** Reports that a link was activated. Returns false when the page handles it itself. */
  openLink(url: string): boolean;
  setLocale(locale: string): void;
  /** The visitor has agreed to `ViewState.consent`. */
  agree(): void;
  /** Reports what the visitor thinks of a reply. */
  rate(messageId: string, rating: FeedbackRating, comment: string): void;
  /** Reports what the visitor thinks of the conversation. */
  rateConversation(conversationId: string, rating: FeedbackRating, comment: string): void;
}

/** Provided by the panel to the elements of one conversation. */
export const chatContext = createContext<ChatContext>('workspace-chat');
