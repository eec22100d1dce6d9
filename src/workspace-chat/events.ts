/** The events of the element. All of them bubble and cross shadow roots. */
import type { FormBlock, Message } from '../../contract/wire.ts';
import type { ToolPhase } from '../chat/state/state.ts';

/** The base of the element's events. */
class WorkspaceChatEvent extends Event {
  constructor(name: string, init: EventInit = {}) {
    super(`workspace-chat-${name}`, { bubbles: true, composed: true, ...init });
  }
}

/** Fired when the methods can be called and a stored conversation is restored. */
export class WorkspaceChatReadyEvent extends WorkspaceChatEvent {
  constructor() {
    super('ready');
  }
}

/** Fired when the panel has opened. */
export class WorkspaceChatOpenEvent extends WorkspaceChatEvent {
  constructor() {
    super('open');
  }
}

/** Fired when the panel has closed. */
export class WorkspaceChatCloseEvent extends WorkspaceChatEvent {
  constructor() {
    super('close');
  }
}

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

/** Fired when something has failed. The visitor already sees what concerns them. */
export class WorkspaceChatErrorEvent extends WorkspaceChatEvent {
  /** A code of the contract, or `configuration`, `network`, `interrupted`, `unconfirmed`, `storage_unavailable`, `chunk_failed`. */
  readonly code: string;
  /** The HTTP status, or 0 when there was no response. */
  readonly status: number;
  /** The request id for the service's support, or an empty string. */
  readonly requestId: string;
  /** Whether the visitor or the page may try again. */
  readonly retryable: boolean;
  constructor(code: string, init: { status?: number; requestId?: string; retryable?: boolean } = {}) {
    super('error');
    this.code = code;
    this.status = init.status ?? 0;
    this.requestId = init.requestId ?? '';
    this.retryable = init.retryable ?? false;
  }
}

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
  'workspace-chat-error': WorkspaceChatErrorEvent;
}

declare global {
  // The events bubble and cross shadow roots, so the document, the window and every element can have listeners.
  interface GlobalEventHandlersEventMap extends WorkspaceChatEventMap {}
  interface ElementEventMap extends WorkspaceChatEventMap {}
  interface ShadowRootEventMap extends WorkspaceChatEventMap {}
}
