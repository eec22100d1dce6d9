/** The elements that show notices, problems and waits. They are loaded together, with the first of these. */
import { BannerElement } from './banner.ts';
import type { ChatMessage, ConversationState } from '../chat/state/state.ts';
import { noticeText, problemText } from '../locale/problem-text.ts';
import type { LaterStrings } from '../locale/strings.ts';
import { MessageProblemElement } from './message-problem.ts';

export { noticeText };

export const problemElements = {
  'workspace-chat-banner': BannerElement,
  'workspace-chat-problem': MessageProblemElement,
};

/** Returns what to announce of a notice or a failed turn, or an empty string when the visitor has gone on meanwhile. */
export const announcementFor = (
  { turn }: ConversationState,
  added: ChatMessage | null,
  now: ConversationState,
  view: LaterStrings,
): string => {
  if (added?.role === 'notice') return now.messages.includes(added) ? noticeText(added, view) : '';
  return turn.status === 'failed' && turn === now.turn ? problemText(turn.problem, view) : '';
};
