/** Maps changes of the conversation's state to the events of the element. */
import type { ChatEvent } from '../chat/state/chat-event.ts';
import type { ConversationState } from '../chat/state/state.ts';
import {
  WorkspaceChatConversationEvent,
  WorkspaceChatFormEvent,
  WorkspaceChatLeadEvent,
  WorkspaceChatMessageEvent,
  WorkspaceChatStateEvent,
  WorkspaceChatToolEvent,
  WorkspaceChatUnreadEvent,
} from './conversation-events.ts';
import { WorkspaceChatErrorEvent } from './events.ts';

const announceEvent = (event: ChatEvent, state: ConversationState, before: ConversationState): Event[] => {
  const { conversationId } = state;
  switch (event.type) {
    case 'restored':
      // A state that another tab has stored is restored, too, but that does not resume the conversation of this tab.
      return before.status === 'ready' || !conversationId
        ? []
        : [new WorkspaceChatConversationEvent(conversationId, 'resumed')];
    case 'conversation-known':
      return [new WorkspaceChatConversationEvent(conversationId, 'started')];
    case 'notice-added':
      return event.code === 'restarted' ? [new WorkspaceChatConversationEvent(before.conversationId, 'expired')] : [];
    case 'cleared':
      return before.conversationId ? [new WorkspaceChatConversationEvent(before.conversationId, 'ended')] : [];
    case 'reply-ended': {
      const { message, outcome = null, refused, sources, lead_captured } = event.response;
      return [
        ...(message ? [new WorkspaceChatMessageEvent({ ...message, outcome, refused, sources })] : []),
        ...(lead_captured ? [new WorkspaceChatLeadEvent()] : []),
      ];
    }
    case 'message-received':
      return [new WorkspaceChatMessageEvent(event.message)];
    case 'tool-changed':
      return [new WorkspaceChatToolEvent(event.run.name, event.run.callId, event.run.phase)];
    case 'block-submitted':
      return event.form ? [new WorkspaceChatFormEvent(event.form.block, event.form.data)] : [];
    case 'storage-failed':
      return [new WorkspaceChatErrorEvent('storage_unavailable')];
    case 'turn-failed': {
      const { code, status, requestId } = event.problem;
      const isCut = event.delivery === 'confirmed';
      const told =
        event.delivery === 'unconfirmed' && code !== 'network' ? 'unconfirmed' : isCut ? 'interrupted' : code;
      const error = new WorkspaceChatErrorEvent(told, { status, requestId, retryable: true });
      return isCut ? [new WorkspaceChatConversationEvent(conversationId, 'interrupted'), error] : [error];
    }
    default:
      return [];
  }
};

/** Returns the events for one change of the state, in order. */
export const toDomEvents = (event: ChatEvent, state: ConversationState, before: ConversationState): Event[] => [
  ...announceEvent(event, state, before),
  ...(state.state !== before.state ? [new WorkspaceChatStateEvent(state.state)] : []),
  ...(state.unread !== before.unread ? [new WorkspaceChatUnreadEvent(state.unread)] : []),
];
