/** The events of the element that need a conversation. They are loaded with the core. */
import type { FormBlock, Message } from '../../contract/wire.ts';
import type { ToolPhase } from '../chat/state/state.ts';
import type { FeedbackRating } from '../controllers/chat-context.ts';
import { WorkspaceChatEvent } from './events.ts';

/** Fired before `text` is sent. Canceling the event prevents that. */
export class WorkspaceChatSendEvent extends WorkspaceChatEvent {
  readonly text: string;
  constructor(text: string) {
    super('send', { cancelable: true });
    this.text = text;
  }
}

/** Fired when a reply is complete, or a team member has written. */
export class WorkspaceChatMessageEvent extends WorkspaceChatEvent {
  readonly message: Message;
  constructor(message: Message) {
    super('message');
    this.message = message;
  }
}

/** The change of a conversation. `interrupted` means that a reply was interrupted. */
export type ConversationChange = 'started' | 'resumed' | 'expired' | 'ended' | 'interrupted';

/** Fired when a conversation has started, resumed or ended. */
export class WorkspaceChatConversationEvent extends WorkspaceChatEvent {
  readonly conversationId: string | null;
  readonly change: ConversationChange;
  constructor(conversationId: string | null, change: ConversationChange) {
    super('conversation');
    this.conversationId = conversationId;
    this.change = change;
  }
}

/** Fired when the conversation's state has changed, for example because a person replies from now on. */
export class WorkspaceChatStateEvent extends WorkspaceChatEvent {
  readonly state: string;
  constructor(state: string) {
    super('state');
    this.state = state;
  }
}

/** Fired when the call of a client tool has entered another phase. */
export class WorkspaceChatToolEvent extends WorkspaceChatEvent {
  // Event has no `name` of its own, so the tool's name can use it.
  readonly name: string;
  readonly callId: string;
  readonly phase: ToolPhase;
  constructor(name: string, callId: string, phase: ToolPhase) {
    super('tool');
    this.name = name;
    this.callId = callId;
    this.phase = phase;
  }
}

/** Fired when the visitor has rated the conversation, and again with a comment. */
export class WorkspaceChatRatingEvent extends WorkspaceChatEvent {
  readonly conversationId: string;
  /** 1 for good, -1 for bad, as `csat_score` of a ticket. */
  readonly rating: FeedbackRating;
  readonly comment: string;
  constructor(conversationId: string, rating: FeedbackRating, comment: string) {
    super('rating');
    this.conversationId = conversationId;
    this.rating = rating;
    this.comment = comment;
  }
}

/** Fired when the visitor has left details that became a lead. */
export class WorkspaceChatLeadEvent extends WorkspaceChatEvent {
  constructor() {
    super('lead');
  }
}

/** Fired when the number of unread messages has changed. */
export class WorkspaceChatUnreadEvent extends WorkspaceChatEvent {
  readonly count: number;
  constructor(count: number) {
    super('unread');
    this.count = count;
  }
}

/** Fired when the visitor activates a link of the conversation. Canceling the event lets the page handle the link. */
export class WorkspaceChatLinkEvent extends WorkspaceChatEvent {
  readonly url: string;
  constructor(url: string) {
    super('link', { cancelable: true });
    this.url = url;
  }
}

/** Fired when the visitor submits a form, while its message is being sent. */
export class WorkspaceChatFormEvent extends WorkspaceChatEvent {
  readonly block: FormBlock;
  /** The values by field key. A field without a value has an empty string. */
  readonly data: Readonly<Record<string, string>>;
  constructor(block: FormBlock, data: Readonly<Record<string, string>>) {
    super('form');
    this.block = block;
    this.data = data;
  }
}

/** Fired when the visitor has rated a reply, and again with the comment that they add to the rating. */
export class WorkspaceChatFeedbackEvent extends WorkspaceChatEvent {
  /** The id of the Message. */
  readonly messageId: string;
  /** 1 for a thumb up, −1 for a thumb down. */
  readonly rating: FeedbackRating;
  /** The visitor's comment, or an empty string. */
  readonly comment: string;
  constructor(messageId: string, rating: FeedbackRating, comment: string) {
    super('feedback');
    this.messageId = messageId;
    this.rating = rating;
    this.comment = comment;
  }
}
