/** The events of a conversation without views. They are those of the element that do not concern its views. */
import type {
  WorkspaceChatConversationEvent,
  WorkspaceChatLeadEvent,
  WorkspaceChatMessageEvent,
  WorkspaceChatSendEvent,
  WorkspaceChatStateEvent,
  WorkspaceChatToolEvent,
  WorkspaceChatUnreadEvent,
} from '../../workspace-chat/conversation-events.ts';
import type { WorkspaceChatErrorEvent } from '../../workspace-chat/events.ts';

export interface ConversationEvents {
  /** A text is about to be sent. Canceling the event prevents that. */
  send: WorkspaceChatSendEvent;
  /** A reply is complete, or a team member has written. */
  message: WorkspaceChatMessageEvent;
  /** The conversation has started, resumed, expired or ended, or its reply was interrupted. */
  conversation: WorkspaceChatConversationEvent;
  /** The assistant or a person replies from now on. */
  state: WorkspaceChatStateEvent;
  /** The call of a client tool has entered another phase. */
  tool: WorkspaceChatToolEvent;
  /** The visitor has left details that became a lead. */
  lead: WorkspaceChatLeadEvent;
  /** The number of unread messages has changed. */
  unread: WorkspaceChatUnreadEvent;
  /** Something has failed. */
  error: WorkspaceChatErrorEvent;
}
