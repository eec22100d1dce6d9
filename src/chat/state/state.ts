/** What the widget knows of a conversation: a snapshot that is replaced, never changed. */
import type { ActorType, Block, ConversationStateName, Open, Outcome, Source } from '../../../contract/wire.ts';

/**
 * What is known of a message the visitor sent:
 * - `unsent`: certainly not taken by the service;
 * - `sending`: on its way;
 * - `unconfirmed`: it may have arrived;
 * - `confirmed`: the service has begun to answer it.
 */
export type Delivery = 'unsent' | 'sending' | 'unconfirmed' | 'confirmed';

export interface VisitorMessage {
  readonly role: 'user';
  /** Local, unique, and the same for ever. */
  readonly key: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly delivery: Delivery;
}

export type ToolPhase = 'asked' | 'running' | 'answered' | 'failed' | 'refused';

/** A client tool's run, as the transcript shows it. */
export interface ToolRun {
  readonly callId: string;
  readonly name: string;
  readonly phase: ToolPhase;
  /** While the visitor is asked: the page's own question, or null for the standard one. */
  readonly question?: string | null;
  /** While the visitor is asked: the values that the tool would be given. */
  readonly values?: readonly (readonly [name: string, value: string])[];
}

/** How an answer ended: as the service meant it, by the visitor's Stop, or cut off. */
export type Ending = 'whole' | 'stopped' | 'interrupted';

export interface AgentMessage {
  readonly role: 'assistant';
  readonly key: string;
  /** The service's id; empty while unknown. */
  readonly id: string;
  readonly text: string;
  /** The text's language (BCP 47), when the service says it. */
  readonly lang?: string | undefined;
  readonly at: number;
  readonly actor: Open<ActorType>;
  readonly ending: Ending;
  readonly sources: readonly Source[];
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolRun[];
  readonly outcome: Open<Outcome> | null;
  readonly refused: boolean;
  readonly limit: string | null;
  readonly degraded: boolean;
}

/** Says in the transcript that something happened to the conversation as a whole. */
export interface NoticeMessage {
  readonly role: 'notice';
  readonly key: string;
  readonly at: number;
  /**
   * - `restarted`: the conversation before was over, and a new one has begun;
   * - `handoff`: a person has been asked; `joined`: a person answers; `returned`: the assistant answers again;
   * - `closed`: the conversation was ended by the service's side;
   * - `unlinked`: its id was never learnt, so the next message starts a new one.
   */
  readonly code: 'restarted' | 'handoff' | 'joined' | 'returned' | 'closed' | 'unlinked';
}

export type ChatMessage = VisitorMessage | AgentMessage | NoticeMessage;

/** An answer while it comes. Its `key` is that of the message it becomes. */
export interface LiveReply {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolRun[];
}

export type WaitReason = 'rate_limited' | 'unavailable' | 'offline' | 'other_tab' | 'previous' | 'retrying';

/** What went wrong, to be put into words by `locale/`. */
export interface Problem {
  /** A code of the contract, or one of `api/errors.ts`. */
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  /** The service's own sentence, in the visitor's language; empty when there is none. */
  readonly detail: string;
}

export type Turn =
  | { readonly status: 'idle' }
  | { readonly status: 'sending'; readonly messageKey: string }
  | { readonly status: 'streaming'; readonly messageKey: string; readonly reply: LiveReply }
  | { readonly status: 'calling'; readonly messageKey: string; readonly reply: LiveReply }
  | {
      readonly status: 'waiting';
      readonly messageKey: string;
      readonly reason: WaitReason;
      /** Milliseconds since the epoch; null when nobody can say. */
      readonly until: number | null;
    }
  | { readonly status: 'failed'; readonly messageKey: string; readonly problem: Problem };

/** What the visitor has typed into a form, by field key. */
export type FormDraft = Readonly<Record<string, string>>;

export interface ConversationState {
  /**
   * - `loading`: the stored record is not read yet;
   * - `locked`: it belongs to a visitor who is yet to be proven the same one, and nothing of it is shown;
   * - `ready`.
   */
  readonly status: 'loading' | 'locked' | 'ready';
  readonly messages: readonly ChatMessage[];
  readonly turn: Turn;
  /** What the visitor has typed and not sent. */
  readonly draft: string;
  readonly conversationId: string | null;
  readonly state: Open<ConversationStateName>;
  /** Another tab is in the middle of a turn of this conversation. */
  readonly isOtherTabBusy: boolean;
  /** The browser's storage failed: the conversation lives as long as the page. */
  readonly isMemoryOnly: boolean;
  /** Answers that came while the panel was closed. */
  readonly unread: number;
  /** By message key and block index: see `formDraftKey`. */
  readonly formDrafts: Readonly<Record<string, FormDraft>>;
  /** The forms and choices that were sent, by the same key, with the text that was sent. */
  readonly submitted: Readonly<Record<string, string>>;
}

export const formDraftKey = (messageKey: string, blockIndex: number): string => `${messageKey}/${blockIndex}`;

export const idleTurn: Turn = { status: 'idle' };

export const initialState: ConversationState = {
  status: 'loading',
  messages: [],
  turn: idleTurn,
  draft: '',
  conversationId: null,
  state: 'ai_active',
  isOtherTabBusy: false,
  isMemoryOnly: false,
  unread: 0,
  formDrafts: {},
  submitted: {},
};

/** A turn is under way: nothing else is sent before it ends. */
export const isBusy = ({ turn }: ConversationState): boolean => turn.status !== 'idle' && turn.status !== 'failed';

/** The answer that is coming in, if any. */
export const liveReply = ({ turn }: ConversationState): LiveReply | null =>
  turn.status === 'streaming' || turn.status === 'calling' ? turn.reply : null;

/** Returns a predicate for the message that the turn sends. */
export const isTurnMessage =
  (turn: Turn) =>
  ({ key }: ChatMessage): boolean =>
    turn.status !== 'idle' && key === turn.messageKey;

export const setDelivery = (
  messages: readonly ChatMessage[],
  key: string,
  delivery: Delivery,
): readonly ChatMessage[] =>
  messages.map((message) => (message.key === key && message.role === 'user' ? { ...message, delivery } : message));
