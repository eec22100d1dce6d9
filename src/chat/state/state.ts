/** The state of a conversation: an immutable snapshot, replaced at each change. */
import type {
  ActorType,
  Block,
  ConversationStateName,
  LocalizedText,
  Open,
  Outcome,
  Source,
} from '../../../contract/wire.ts';

/**
 * The delivery of a visitor's message:
 * - `unsent`: the service has certainly not accepted it;
 * - `sending`: it is being sent;
 * - `unconfirmed`: it may have arrived;
 * - `confirmed`: the service has started to reply.
 */
export type Delivery = 'unsent' | 'sending' | 'unconfirmed' | 'confirmed';

export interface VisitorMessage {
  readonly role: 'user';
  /** A unique local id that never changes. */
  readonly key: string;
  readonly text: string;
  /** What the transcript shows in place of the text: the label of a choice, without the id or the ISO time that is sent. */
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly delivery: Delivery;
  /** The id of the tab that runs the turn of the message. No other tab changes it. */
  readonly tab?: string;
  /** How often the message was posted, or sent again. A later attempt replaces what is known of an earlier one. */
  readonly attempt?: number;
  /** Whether an earlier copy may have arrived. A later copy that is rejected does not change that. */
  readonly isDoubtful?: boolean;
  /** Why the last attempt failed. */
  readonly problem?: Problem;
}

export const toolPhases = ['asked', 'running', 'answered', 'failed', 'refused'] as const;

export type ToolPhase = (typeof toolPhases)[number];

/** A call of a client tool, as the transcript shows it. */
export interface ToolRun {
  readonly callId: string;
  readonly name: string;
  /** What the visitor reads in place of the name. */
  readonly title?: LocalizedText | undefined;
  readonly phase: ToolPhase;
  /** The page's question in the consent prompt, or null for the standard question. Set in the phase `asked`. */
  readonly question?: string | null;
  /** The arguments that the consent prompt shows. Set in the phase `asked`. */
  readonly values?: readonly (readonly [label: LocalizedText, value: string])[];
  /** When the question times out, on the monotonic clock (`Clock.monotonic`). Set in the phase `asked`. */
  readonly until?: number;
  /** Whether half of the time for the question has passed. */
  readonly isExpiring?: boolean;
  /** Whether the visitor did not reply to the question in time. Set in the phase `failed`. */
  readonly isTimedOut?: boolean;
}

/** How a reply ended: complete, stopped by the visitor, or cut off. */
export type Ending = 'whole' | 'stopped' | 'interrupted';

export interface AgentMessage {
  readonly role: 'assistant';
  readonly key: string;
  /** The service's id, or an empty string while it is unknown. */
  readonly id: string;
  readonly text: string;
  /** The language of the text (BCP 47), if the service sends it. */
  readonly lang?: string | undefined;
  readonly at: number;
  readonly actor: Open<ActorType>;
  /** The name of the person who wrote it, if the site's relay names them. */
  readonly author?: string | undefined;
  /** The URL of that person's picture. It is shown only if its host is one of `image-hosts`. */
  readonly avatar?: string | undefined;
  readonly ending: Ending;
  readonly sources: readonly Source[];
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolRun[];
  readonly outcome: Open<Outcome> | null;
  readonly refused: boolean;
  readonly limit: string | null;
  readonly degraded: boolean;
}

/**
 * - `restarted`: the previous conversation was over, and a new one has started;
 * - `handoff`: a person was requested; `joined`: a person replies; `returned`: the assistant replies again;
 * - `closed`: the service ended the conversation;
 * - `unlinked`: its credentials never arrived, so the next message starts a new one.
 */
export const noticeCodes = ['restarted', 'handoff', 'joined', 'returned', 'closed', 'unlinked'] as const;

/** A notice in the transcript about the conversation as a whole. */
export interface NoticeMessage {
  readonly role: 'notice';
  readonly key: string;
  readonly at: number;
  readonly code: (typeof noticeCodes)[number];
}

export type ChatMessage = VisitorMessage | AgentMessage | NoticeMessage;

/** A reply while it streams. Its `key` is the key of the message that it becomes. */
export interface LiveReply {
  readonly key: string;
  readonly at: number;
  readonly text: string;
  readonly sources: readonly Source[];
  readonly blocks: readonly Block[];
  readonly tools: readonly ToolRun[];
}

export type WaitReason = 'rate_limited' | 'unavailable' | 'offline' | 'other_tab' | 'previous' | 'retrying';

/** A failure. `locale/` has the sentence for it. */
export interface Problem {
  /** A code of the contract, or one of `api/errors.ts`. */
  readonly code: string;
  readonly status: number;
  readonly requestId: string;
  /** The service's error message in the visitor's language, or an empty string. */
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
      /** The end of the wait on the monotonic clock (`Clock.monotonic`), or null when it is unknown. */
      readonly until: number | null;
    }
  | { readonly status: 'failed'; readonly messageKey: string; readonly problem: Problem };

/** The values that the visitor has typed into a form, by field key. */
export type FormDraft = Readonly<Record<string, string>>;

export interface ConversationState {
  /**
   * - `loading`: the stored record is being read;
   * - `locked`: the record belongs to a verified visitor, and is kept apart until the page proves the same identity. The
   *   messages and the draft are those of the current visitor;
   * - `suspended`: the page was left, and the record may have been erased since: the transcript is hidden until it is read;
   * - `ready`.
   */
  readonly status: 'loading' | 'locked' | 'suspended' | 'ready';
  readonly messages: readonly ChatMessage[];
  readonly turn: Turn;
  /** Messages that wait for the end of the turn, in the order in which they will be sent. */
  readonly queued: readonly VisitorMessage[];
  /** The text in the composer. */
  readonly draft: string;
  readonly conversationId: string | null;
  readonly state: Open<ConversationStateName>;
  /** Whether another tab is running a turn of this conversation. */
  readonly isOtherTabBusy: boolean;
  /** Whether the browser's storage failed, so that the conversation ends with the page. */
  readonly isMemoryOnly: boolean;
  /** The number of replies that arrived while the panel was closed. */
  readonly unread: number;
  /** The drafts of forms, by message key and block index: see `formDraftKey`. */
  readonly formDrafts: Readonly<Record<string, FormDraft>>;
  /** The submitted blocks with the text that was sent, by the same keys. */
  readonly submitted: Readonly<Record<string, string>>;
}

export const formDraftKey = (messageKey: string, blockIndex: number): string => `${messageKey}/${blockIndex}`;

export const idleTurn: Turn = { status: 'idle' };

/** The fields of a conversation before its first message has arrived. */
export const emptyConversation = { conversationId: null, state: 'ai_active', unread: 0, submitted: {} };

export const initialState: ConversationState = {
  ...emptyConversation,
  status: 'loading',
  messages: [],
  turn: idleTurn,
  queued: [],
  draft: '',
  isOtherTabBusy: false,
  isMemoryOnly: false,
  formDrafts: {},
};

/** Returns the turn that is in progress, or null. No other turn starts before it ends. */
export const turnInProgress = ({ turn }: ConversationState): Exclude<Turn, { status: 'idle' | 'failed' }> | null =>
  turn.status === 'idle' || turn.status === 'failed' ? null : turn;

export const isBusy = (state: ConversationState): boolean => turnInProgress(state) !== null;

/** Returns the reply that is streaming, or null. */
export const liveReply = ({ turn }: ConversationState): LiveReply | null =>
  turn.status === 'streaming' || turn.status === 'calling' ? turn.reply : null;

/** Returns a predicate for the message that the turn sends. */
export const isTurnMessage =
  (turn: Turn) =>
  ({ key }: ChatMessage): boolean =>
    turn.status !== 'idle' && key === turn.messageKey;

/** Whether the visitor has typed or sent anything, or a reply has arrived. */
export const hasContent = ({ messages, queued, draft }: ConversationState): boolean =>
  messages.length > 0 || queued.length > 0 || draft !== '';
