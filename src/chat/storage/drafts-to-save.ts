/** Decides which drafts a tab saves for its next page. */
import { isUndelivered } from '../state/messages.ts';
import { liveReply, type ChatMessage, type ConversationState, type FormDraft } from '../state/state.ts';
import { newestAt, type SavedDrafts } from './drafts.ts';

const textsOf = (messages: readonly ChatMessage[]): Record<string, string> =>
  Object.fromEntries(
    messages.map((message) => [message.key, message.role === 'user' ? (message.label ?? message.text) : '']),
  );

/** Returns the drafts of the forms that are shown and not submitted. */
const openForms = (state: ConversationState): Record<string, FormDraft> => {
  const { messages, formDrafts, submitted } = state;
  const known = new Set([...messages, liveReply(state)].map((message) => message?.key));
  const isOpen = (key: string) => known.has(key.slice(0, key.lastIndexOf('/'))) && !(key in submitted);
  return Object.fromEntries(Object.entries(formDrafts).filter(([key]) => isOpen(key)));
};

/**
 * Returns what to save of the drafts of this tab, or null when nothing is to be saved now.
 * @param stored The messages of the record, whose other messages are saved as well. Null when it will still be written.
 */
export const draftsToSave = (
  state: ConversationState,
  epoch: string | null,
  owner: string | null,
  stored: readonly ChatMessage[] | null,
): SavedDrafts | null => {
  const { status, messages, queued, draft } = state;
  if (status === 'loading') return null;
  // A locked record is of another visitor: what was sent meanwhile is never written to it.
  const known = status === 'locked' ? [] : stored;
  const isUnsaved = (message: ChatMessage) =>
    known && isUndelivered(message) && !known.some(({ key }) => key === message.key);
  const unsaved = textsOf([...messages, ...queued].filter(isUnsaved));
  const saved = { epoch, owner: null, draft, unsaved, newestAt: 0, forms: {} };
  if (status !== 'locked') return { ...saved, owner, newestAt: newestAt(messages), forms: openForms(state) };
  // The drafts of the other visitor stay if nothing was typed or sent meanwhile.
  return draft || Object.keys(unsaved).length > 0 ? saved : null;
};
