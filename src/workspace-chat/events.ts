/** The events of the element. All of them bubble and cross shadow roots. Those of the conversation are in `conversation-events.ts`. */

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
