/** The public element, as the code behind the launcher sees it. */
import type { CSSResult } from 'lit';
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { LazyFile } from '../chat/lazy-file.ts';
import type { Problem } from '../chat/state/state.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import type { Registry } from '../controllers/registry.ts';
import type { Strings } from '../locale/strings.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import type { ConversationHost } from './browser-conversation.ts';
import type { ConsentGate } from './consent.ts';
import type { PageModals } from './page-modals.ts';
import type { WorkspaceChatProperties } from './properties.ts';

export interface ChatHost extends ConversationHost {
  readonly element: WorkspaceChatProperties;
  readonly locale: LocaleController;
  readonly blocks: Registry<BlockRenderer>;
  /** Explains a failed message to the site's owner. */
  readonly doctor: LazyFile<{
    reportFailure(problem: Problem, configuration: Configuration, fetch: typeof globalThis.fetch | null): Promise<void>;
  }>;
  open: boolean;
  readonly isFloating: boolean;
  readonly consent: ConsentGate;
  /** Whether no conversation was stored when the page loaded. */
  readonly isNew: boolean;
  /** See `ViewState.suggestions`. */
  readonly suggestions: ViewState['suggestions'];
  /** The visitor agrees to what the page asks. */
  agree(): void;
  /** Whether the page listens for feedback. */
  readonly feedbackListeners: { readonly isEmpty: boolean };
  /** Set while the panel is open because the visitor opened it. Focus returns to `from` when the panel closes. */
  opening: { from: HTMLElement | null } | null;
  /** The box of the launcher, or null while it is not rendered. */
  readonly launcher: HTMLElement | null;
  /** The modal dialogs of the page. */
  readonly modals: PageModals;
  readonly launcherPlace: { adaptColors(tokens: CSSResult): Promise<void> };
  /** The conversation, or null while it has not started. */
  readonly conversation: Conversation | null;
  /** The newest reply if the visitor has not read it, and may see it. */
  readonly unreadReply: { key: string; text: string } | null;
  /** Returns the texts in the element's language, without those of the page. */
  loadStrings(): Promise<Strings>;
  /** The visitor chooses a language, by its tag. */
  setLocale(tag: string): void;
  openByVisitor(from: EventTarget | null): void;
  /** Sends a message as the visitor. */
  send(text: string): Promise<unknown>;
}

/** The part of the element that its panel and the place of its launcher use. */
export type PanelHost = Pick<
  ChatHost,
  | 'agree'
  | 'openByVisitor'
  | 'element'
  | 'isFloating'
  | 'launcher'
  | 'launcherPlace'
  | 'modals'
  | 'open'
  | 'opening'
  | 'setLocale'
  | 'dispatch'
>;
