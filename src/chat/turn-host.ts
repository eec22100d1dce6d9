/** The conversation, as its turns see it. */
import type { ConversationOptions } from './conversation-options.ts';
import type { Archive } from './storage/archive.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';
import type { StreamingChoice } from './streaming-choice.ts';
import type { Visitor } from './visitor.ts';

/** A plain call that may have arrived. Its repetitions must be identical. */
export interface FrozenCall {
  readonly body: string;
  readonly idempotencyKey: string;
  /** The conversation that the call continues, or null when it begins one. */
  readonly conversationId: string | null;
}

export interface TurnHost extends ConversationOptions {
  readonly store: Store<ConversationState, ChatEvent>;
  readonly archive: Archive;
  readonly visitor: Visitor;
  readonly streamingChoice: StreamingChoice;
  /** The frozen calls by message key, kept across turns. */
  readonly frozenCalls: Map<string, FrozenCall>;
  /** Reads what other tabs have written meanwhile. */
  readChanges(): Promise<void>;
  /** Called when a reply is complete: it is unread if the visitor does not see it now. */
  onReply(): void;
  /** The conversation is over: the message starts a new one. */
  restart(code: string): void;
}
