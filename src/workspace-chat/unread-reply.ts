/** Finds what the teaser may show of a conversation. */
import { shortened } from '../../contract/characters.ts';
import type { ConversationState } from '../chat/state/state.ts';
import { spokenText } from '../elements/message-text.ts';

/** The longest text, in characters. The teaser's lines end before that. */
const maxLength = 300;

/**
 * Returns the newest reply if it is unread and may be shown, or null. Without the proof that a record's owner requires, and
 * while it may have been erased in another tab, the state is not `ready`.
 */
export const unreadReply = (state: ConversationState): { key: string; text: string } | null => {
  if (state.status !== 'ready' || state.unread === 0) return null;
  const reply = state.messages.findLast(({ role }) => role === 'assistant');
  const text = reply?.role === 'assistant' ? spokenText(reply).trim() : '';
  return reply && text ? { key: reply.key, text: shortened(text, maxLength) } : null;
};
