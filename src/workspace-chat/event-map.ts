/** The types of the element's events, by name. */
import type {
  WorkspaceChatConversationEvent,
  WorkspaceChatFeedbackEvent,
  WorkspaceChatFormEvent,
  WorkspaceChatLeadEvent,
  WorkspaceChatLinkEvent,
  WorkspaceChatMessageEvent,
  WorkspaceChatRatingEvent,
  WorkspaceChatSendEvent,
  WorkspaceChatStateEvent,
  WorkspaceChatToolEvent,
  WorkspaceChatUnreadEvent,
} from './conversation-events.ts';
import type { WorkspaceChatConsentEvent } from './consent.ts';
import type {
  WorkspaceChatCloseEvent,
  WorkspaceChatErrorEvent,
  WorkspaceChatOpenEvent,
  WorkspaceChatReadyEvent,
} from './events.ts';

/** The element's events by name. */
export interface WorkspaceChatEventMap {
  'workspace-chat-ready': WorkspaceChatReadyEvent;
  'workspace-chat-open': WorkspaceChatOpenEvent;
  'workspace-chat-close': WorkspaceChatCloseEvent;
  'workspace-chat-send': WorkspaceChatSendEvent;
  'workspace-chat-message': WorkspaceChatMessageEvent;
  'workspace-chat-conversation': WorkspaceChatConversationEvent;
  'workspace-chat-state': WorkspaceChatStateEvent;
  'workspace-chat-tool': WorkspaceChatToolEvent;
  'workspace-chat-lead': WorkspaceChatLeadEvent;
  'workspace-chat-unread': WorkspaceChatUnreadEvent;
  'workspace-chat-link': WorkspaceChatLinkEvent;
  'workspace-chat-form': WorkspaceChatFormEvent;
  'workspace-chat-consent': WorkspaceChatConsentEvent;
  'workspace-chat-rating': WorkspaceChatRatingEvent;
  'workspace-chat-feedback': WorkspaceChatFeedbackEvent;
  'workspace-chat-error': WorkspaceChatErrorEvent;
}

declare global {
  // The events bubble and cross shadow roots, so the document, the window and every element can have listeners.
  interface GlobalEventHandlersEventMap extends WorkspaceChatEventMap {}
  interface ElementEventMap extends WorkspaceChatEventMap {}
  interface ShadowRootEventMap extends WorkspaceChatEventMap {}
}
