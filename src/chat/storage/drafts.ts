/** Decides which draft a tab shows, and which one it stores. The record has one draft, and each tab its own. */
import { joinDrafts } from '../state/messages.ts';
import type { ChatMessage, ConversationState, FormDraft } from '../state/state.ts';
import type { StoredRecord } from './record.ts';

/** What a tab keeps of what the visitor is typing, for its next page. */
export interface SavedDrafts {
  /** The epoch of the record to which they belong, or null when there was none. */
  readonly epoch: string | null;
  /** See `StoredRecord.owner`. */
  readonly owner: string | null;
  readonly draft: string;
  /** The texts of the visitor's messages that the record lacks, by key: its write may not have been completed. */
  readonly unsaved: Readonly<Record<string, string>>;
  /** The time of the newest message that this tab knew. */
  readonly newestAt: number;
  readonly forms: Readonly<Record<string, FormDraft>>;
}

/**
 * Returns the draft to store.
 * @param shared The draft that this tab has written to the record, or taken from it, last.
 * @param isLeft Whether the page is being left, so that its draft may be nowhere else.
 */
export const draftToStore = (stored: string, shared: string, own: string, isLeft: boolean): string =>
  (own === shared && !(isLeft && !stored)) || (own === '' && stored !== shared) ? stored : own;

/** Whether another tab has sent the text of a draft as a message, after the newest message that this tab knows. */
const isDraftSent = (draft: string, messages: readonly ChatMessage[], newestAt: number): boolean =>
  draft !== '' &&
  messages.some((message) => message.role === 'user' && message.at > newestAt && message.text === draft.trim());

/** Returns the time of the newest message. */
export const newestAt = (messages: readonly ChatMessage[]): number => Math.max(0, ...messages.map(({ at }) => at));

/** Returns the saved texts that are not among the messages, followed by the saved draft. */
export const draftWithUnsaved = ({ draft, unsaved }: SavedDrafts, messages: readonly ChatMessage[]): string => {
  const lost = { ...unsaved };
  for (const { key } of messages) delete lost[key];
  return [...Object.values(lost), draft].reduce(joinDrafts, '');
};

/** Returns the draft of an earlier page of this tab, or else the record's. */
const savedDraft = (record: StoredRecord, saved: SavedDrafts | null): string => {
  if (!saved) return record.draft;
  const isSent = isDraftSent(saved.draft, record.messages, saved.newestAt);
  const draft = isSent ? '' : saved.draft || record.draft;
  return draftWithUnsaved({ ...saved, draft }, record.messages);
};

/** Returns the draft to show when the record is read for the first time. */
export const restoredDraft = (record: StoredRecord, saved: SavedDrafts | null, { draft }: ConversationState): string =>
  joinDrafts(savedDraft(record, saved), draft);

/**
 * Returns the draft of this tab, unless another tab has sent it.
 * @param base The record that this tab has read or written last.
 * @param shared The draft that this tab has written to the record, or taken from it, last.
 */
export const remainingDraft = (
  { messages }: StoredRecord,
  base: StoredRecord | null,
  { draft, messages: own }: ConversationState,
  shared: string,
): string => {
  if (draft !== shared) return draft;
  const keys = new Set(own.map(({ key }) => key));
  const others = messages.filter(({ key }) => !keys.has(key));
  return isDraftSent(draft, others, newestAt(base?.messages ?? [])) ? '' : draft;
};
