/** The public element, as the code behind the launcher sees it. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { LazyFile } from '../chat/lazy-file.ts';
import type { Problem } from '../chat/state/state.ts';
import type { BlockRenderer } from '../controllers/block-renderer.ts';
import type { LocaleController } from '../controllers/locale-controller.ts';
import type { Registry } from '../controllers/registry.ts';
import type { EntityNames } from '../markdown/entities.ts';
import type { Strings } from '../locale/strings.ts';
import type { teamReturn } from '../locale/team-hours.ts';
import type { ConversationHost } from './browser-conversation.ts';
import type { WorkspaceChatProperties } from './properties.ts';

/** The extras that the chat itself loads. */
export interface ChatExtras {
  /** Adds the buttons for dictation and reading aloud to a panel. */
  readonly speech: LazyFile<(root: ShadowRoot) => void>;
  /** Adds the thumbs below replies to a panel. */
  readonly feedback: LazyFile<(root: ShadowRoot) => void>;
  /** The names of characters that replies hardly ever contain. */
  readonly entities: LazyFile<EntityNames>;
  /** Says when the team is back. */
  readonly teamHours: LazyFile<typeof teamReturn>;
  /** Explains a failed message to the site's owner. */
  readonly doctor: LazyFile<{
    reportFailure(problem: Problem, configuration: Configuration, fetch: typeof globalThis.fetch | null): Promise<void>;
  }>;
}

export interface ChatHost extends ConversationHost {
  readonly element: WorkspaceChatProperties;
  readonly locale: LocaleController;
  readonly blocks: Registry<BlockRenderer>;
  readonly extras: ChatExtras;
  open: boolean;
  readonly isFloating: boolean;
  /** Whether the page listens for feedback. */
  readonly hasFeedbackListener: boolean;
  /** Set while the panel is open because the visitor opened it. Focus returns to `from` when the panel closes. */
  opening: { from: HTMLElement | null } | null;
  /** The box of the launcher, or null while it is not rendered. */
  readonly launcher: HTMLElement | null;
  /** The conversation, or null while it has not started. */
  readonly conversation: Conversation | null;
  /** The newest reply if the visitor has not read it, and may see it. */
  readonly unreadReply: { key: string; text: string } | null;
  /** Returns the texts in the element's language, without those of the page. */
  loadStrings(): Promise<Strings>;
  openByVisitor(from: EventTarget | null): void;
  /** Sends a message as the visitor. */
  send(text: string): Promise<unknown>;
}

/** The part of the element that its panel uses. */
export type PanelHost = Pick<
  ChatHost,
  'element' | 'extras' | 'isFloating' | 'launcher' | 'open' | 'opening' | 'dispatch'
>;
