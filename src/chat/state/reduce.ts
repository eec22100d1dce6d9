/** Computes the next state of a conversation after an event. Pure, total, and the only place where state is created. */
import type { ChatEvent } from './chat-event.ts';
import { addNotice, changeState } from './notice-events.ts';
import { changeTool, endReply, receiveMessage, startReply, updateReply } from './reply-events.ts';
import { idleTurn, initialState, isBusy, isTurnMessage, type ConversationState } from './state.ts';
import { delayTurn, dropMessage, failTurn, postTurn, startTurn, stopTurn, withdrawTurn } from './turn-events.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;
type Reducer<Type extends ChatEvent['type']> = (state: ConversationState, event: EventOf<Type>) => ConversationState;

/** Merges a restored conversation. A turn in progress continues, with its message at the end of the transcript. */
const restore: Reducer<'restored'> = (state, { conversation, draft }) => {
  const { turn } = state;
  const isInProgress = isBusy(state);
  const current = isInProgress ? state.messages.filter(isTurnMessage(turn)) : [];
  const others = conversation.messages.filter(({ key }) => !current.some((message) => message.key === key));
  return {
    ...state,
    ...conversation,
    messages: [...others, ...current],
    draft: state.draft || draft,
    status: 'ready',
    turn: isInProgress ? turn : idleTurn,
  };
};

/** Removes the conversation. A turn in progress continues, as the first of a new conversation. */
const clear: Reducer<'cleared'> = (state, { keepDraft }) => {
  const { isOtherTabBusy, isMemoryOnly, turn } = state;
  const cleared = { ...initialState, isOtherTabBusy, isMemoryOnly, status: 'ready' as const };
  if (isBusy(state)) return { ...cleared, turn, messages: state.messages.filter(isTurnMessage(turn)) };
  return { ...cleared, draft: keepDraft ? state.draft : '' };
};

const reducers: { [Type in ChatEvent['type']]: Reducer<Type> } = {
  restored: restore,
  locked: (state) => ({ ...state, status: 'locked' }),
  unlocked: (state) => ({ ...state, status: 'ready' }),
  cleared: clear,
  'storage-failed': (state) => ({ ...state, isMemoryOnly: true }),
  'draft-changed': (state, { draft }) => (draft === state.draft ? state : { ...state, draft }),
  'turn-sent': (state, { message }) => startTurn(state, message),
  'turn-delayed': delayTurn,
  'turn-posted': postTurn,
  'turn-failed': failTurn,
  'turn-stopped': stopTurn,
  'turn-withdrawn': withdrawTurn,
  'message-dropped': (state, { key }) => dropMessage(state, key),
  'reply-started': startReply,
  'text-added': (state, { text }) => updateReply(state, (reply) => ({ text: reply.text + text })),
  'sources-found': (state, { sources }) => updateReply(state, () => ({ sources })),
  'blocks-added': (state, { blocks }) => updateReply(state, (reply) => ({ blocks: [...reply.blocks, ...blocks] })),
  'tool-changed': (state, { run }) => changeTool(state, run),
  'reply-ended': endReply,
  'conversation-known': (state, { conversationId }) => ({ ...state, conversationId }),
  'notice-added': addNotice,
  'state-changed': (state, event) => changeState(state, event.state, event.key, event.at),
  'message-received': receiveMessage,
  'other-tab-changed': (state, { isOtherTabBusy }) =>
    isOtherTabBusy === state.isOtherTabBusy ? state : { ...state, isOtherTabBusy },
  'unread-counted': (state) => ({ ...state, unread: state.unread + 1 }),
  read: (state) => (state.unread === 0 ? state : { ...state, unread: 0 }),
  'form-drafted': (state, { key, draft }) => ({ ...state, formDrafts: { ...state.formDrafts, [key]: draft } }),
  'form-drafts-dropped': (state) => ({ ...state, formDrafts: {} }),
  'block-submitted': (state, { key, text }) => ({ ...state, submitted: { ...state.submitted, [key]: text } }),
};

export const reduce = (state: ConversationState, event: ChatEvent): ConversationState =>
  (reducers[event.type] as Reducer<ChatEvent['type']>)(state, event);
