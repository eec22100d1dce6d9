/** The events that change the state of a conversation. */
import type { Block, ChatResponse, FormBlock, RelayedMessage, Source } from '../../../contract/wire.ts';
import type {
  ConversationState,
  Delivery,
  FormDraft,
  NoticeMessage,
  Problem,
  ToolRun,
  VisitorMessage,
  WaitReason,
} from './state.ts';

/** The part of the state that is restored from the stored record, or from another tab. */
export type Restored = Pick<ConversationState, 'messages' | 'conversationId' | 'state' | 'unread' | 'submitted'>;

/**
 * What the visitor keeps of a state whose conversation is erased, or locked:
 * - `nothing`;
 * - `turn`: the turn with its message, the messages that are queued, and the draft;
 * - `newcomer`: all, because the state is not part of that conversation.
 */
export type Kept = 'nothing' | 'turn' | 'newcomer';

/** How the submission of a block is shown, and the values of a form. */
export interface Submission {
  /** What the transcript shows in place of the text. */
  label?: string;
  form?: { block: FormBlock; data: FormDraft };
}

/** What the site's relay reports. */
export type RelayedEvent =
  | { type: 'state-changed'; state: string }
  | { type: 'message-received'; message: RelayedMessage };

export type ChatEvent =
  | { type: 'restored'; conversation: Restored; draft: string; formDrafts: ConversationState['formDrafts'] }
  | { type: 'locked'; kept: Kept }
  | { type: 'unlocked'; held: ConversationState | null }
  | { type: 'suspended' }
  | { type: 'storage-failed' }
  | { type: 'storage-recovered' }
  | { type: 'cleared'; kept: Kept }
  | { type: 'expired' }
  | { type: 'draft-changed'; draft: string }
  | { type: 'drafts-replaced'; draft: string; formDrafts: ConversationState['formDrafts'] }
  | { type: 'message-queued'; message: VisitorMessage }
  | { type: 'turn-sent'; message: VisitorMessage }
  | { type: 'turn-delayed'; reason: WaitReason; until: number | null }
  | { type: 'turn-posted' }
  | { type: 'reply-started'; key: string; at: number }
  | { type: 'text-added'; text: string }
  | { type: 'sources-found'; sources: readonly Source[] }
  | { type: 'blocks-added'; blocks: readonly Block[] }
  | { type: 'tool-changed'; run: ToolRun }
  | { type: 'conversation-known'; conversationId: string }
  | { type: 'reply-ended'; response: ChatResponse; key: string; at: number }
  | { type: 'turn-stopped' }
  | { type: 'turn-failed'; problem: Problem; delivery: Delivery }
  | { type: 'turn-withdrawn' }
  | { type: 'message-edited'; key: string }
  | { type: 'notice-added'; code: NoticeMessage['code']; key: string; at: number }
  | (RelayedEvent & { key: string; at: number })
  | { type: 'other-tab-changed'; isOtherTabBusy: boolean }
  | { type: 'unread-counted' }
  | { type: 'read' }
  | { type: 'form-drafted'; key: string; draft: FormDraft }
  | { type: 'block-submitted'; key: string; text: string; form?: Submission['form'] };
