/** What the panel's elements share: the conversation, how it is to be shown, and what they may ask of the element. */
import type { FormBlock } from '../../contract/wire.ts';
import type { BlockRenderer } from './block-registry.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { FormDraft } from '../chat/state/state.ts';
import { Store } from '../chat/state/store.ts';
import type { Strings } from '../locale/strings.ts';

export type Mode = 'floating' | 'inline' | 'fullscreen';

/** How the conversation is shown: what comes from attributes and the locale, not from the conversation. */
export interface ViewState {
  strings: Strings;
  /** Of the sentences. */
  dir: 'ltr' | 'rtl';
  /** For `Intl`: the page's own tag, such as `ar-OM`. */
  languageTag: string;
  mode: Mode;
  heading: string;
  greeting: string;
  starters: readonly string[];
  /** The hosts that pictures may come from, between spaces. */
  imageHosts: string;
  /** The page's own, by type of block. */
  renderers: ReadonlyMap<string, BlockRenderer>;
}

export type ViewStore = Store<ViewState, Partial<ViewState>>;

export const createViewStore = (state: ViewState): ViewStore =>
  new Store<ViewState, Partial<ViewState>>(state, (before, change) => {
    const isChanged = Object.entries(change).some(([key, value]) => before[key as keyof ViewState] !== value);
    return isChanged ? { ...before, ...change } : before;
  });

export interface ChatContext {
  conversation: Conversation;
  view: ViewStore;
  /** Sends the visitor's text, unless the page objects. */
  send(text: string): void;
  /**
   * Sends the answer that a block makes, once; a form with its values.
   * @param key See `formDraftKey`.
   * @returns False when nothing was sent: a turn is under way, or the page objects.
   */
  submitBlock(key: string, text: string, form?: { block: FormBlock; data: FormDraft }): boolean;
  /** Closes the panel. */
  close(): void;
  /** A link of the conversation was activated; false when the page takes care of it. */
  openLink(url: string): boolean;
  /** Speaks the other language from here on. */
  setLocale(locale: 'en' | 'ar'): void;
}

/** Holds the context, which is another one with another conversation. */
export type ChatStore = Store<ChatContext, ChatContext>;

/** The panel's elements all stand in one shadow root, and find their context by it. */
const chats = new WeakMap<Node, ChatStore>();

export const provideChat = (root: ShadowRoot, chat: ChatContext): ChatStore => {
  const store: ChatStore = new Store(chat, (_before, next: ChatContext) => next);
  chats.set(root, store);
  return store;
};

/** The context around a connected element of the panel. */
export const chatAround = (element: Element): ChatStore => chats.get(element.getRootNode())!;
