/** The events that the launcher's stage fires, and the base of all events. All of them bubble and cross shadow roots. */

/** The base of the element's events. */
export class WorkspaceChatEvent extends Event {
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

/** Fired when the visitor activates a link of the conversation. Canceling the event lets the page handle the link. */
export class WorkspaceChatLinkEvent extends WorkspaceChatEvent {
  readonly url: string;
  constructor(url: string) {
    super('link', { cancelable: true });
    this.url = url;
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

declare global {
  interface HTMLElementEventMap {
    'workspace-chat-ready': WorkspaceChatReadyEvent;
    'workspace-chat-open': WorkspaceChatOpenEvent;
    'workspace-chat-close': WorkspaceChatCloseEvent;
    'workspace-chat-send': WorkspaceChatSendEvent;
    'workspace-chat-link': WorkspaceChatLinkEvent;
    'workspace-chat-error': WorkspaceChatErrorEvent;
  }
}
