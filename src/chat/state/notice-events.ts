/** Reducers of the events that put a notice into the transcript. */
import type { ChatEvent } from './chat-event.ts';
import { isTurnMessage, type ConversationState, type NoticeMessage } from './state.ts';

const noticeFor = (from: string, to: string): NoticeMessage['code'] | null => {
  if (to === 'closed') return 'closed';
  if (to === 'human_active') return 'joined';
  if (to === 'handoff_requested') return from === 'human_active' ? null : 'handoff';
  return to === 'ai_active' ? 'returned' : null;
};

/** Changes the conversation's state, and says so in a notice. */
export const changeState = (state: ConversationState, to: string, key: string, at: number): ConversationState => {
  if (to === state.state) return state;
  const code = noticeFor(state.state, to);
  const notices: readonly NoticeMessage[] = code ? [{ role: 'notice', key, at, code }] : [];
  return { ...state, state: to, messages: [...state.messages, ...notices] };
};

/** Adds a notice. `restarted` comes before the message that is being sent, since that message starts the conversation. */
export const addNotice = (
  state: ConversationState,
  { code, key, at }: Extract<ChatEvent, { type: 'notice-added' }>,
): ConversationState => {
  const notice: NoticeMessage = { role: 'notice', key, at, code };
  if (code !== 'restarted') return { ...state, messages: [...state.messages, notice] };
  const isBeingSent = isTurnMessage(state.turn);
  const earlier = state.messages.filter((message) => !isBeingSent(message));
  const messages = [...earlier, notice, ...state.messages.filter(isBeingSent)];
  return { ...state, conversationId: null, state: 'ai_active', messages };
};
