/** The conversation, as its turns see it. */
import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { Archive } from './storage/archive.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { Connectivity } from './connectivity.ts';
import type { ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';
import type { StreamingChoice } from './streaming-choice.ts';
import type { ClientTools } from './tools/client-tools.ts';
import type { Visitor } from './visitor.ts';

/** A plain call that may have arrived. Its repetitions must be identical. */
export interface FrozenCall {
  readonly body: string;
  readonly idempotencyKey: string;
}

export interface TurnHost {
  readonly client: ApiClient;
  readonly store: Store<ConversationState, ChatEvent>;
  readonly archive: Archive;
  /** The page's client tools. */
  readonly tools: ClientTools;
  readonly connectivity: Connectivity;
  readonly clock: Clock;
  readonly createId: () => string;
  readonly random: () => number;
  readonly locale: () => 'en' | 'ar';
  readonly streaming: () => 'auto' | 'off' | undefined;
  readonly streamingChoice: StreamingChoice;
  /** The frozen calls by message key, kept across turns. */
  readonly frozenCalls: Map<string, FrozenCall>;
  /** Reads what other tabs have written meanwhile. */
  readChanges(): Promise<void>;
  readonly visitor: Visitor;
  /** Called when a reply is complete: it is unread if the visitor does not see it now. */
  onReply(): void;
  /** The conversation is over: the message starts a new one. */
  restart(code: string): void;
}
