/** Computes the next state of a conversation after an event. Pure, total, and the only place where state is created. */
import type { ChatEvent, Kept } from './chat-event.ts';
import { addNotice, changeState } from './notice-events.ts';
import { changeTool, endReply, receiveMessage, startReply, updateReply } from './reply-events.ts';
import { isUndelivered, joinDrafts } from './messages.ts';
import {
  emptyConversation,
  idleTurn,
  initialState,
  isBusy,
  isTurnMessage,
  liveReply,
  type ChatMessage,
  type ConversationState,
} from './state.ts';
import { delayTurn, editMessage, failTurn, postTurn, startTurn, stopTurn, withdrawTurn } from './turn-events.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;
type Reducer<Type extends ChatEvent['type']> = (state: ConversationState, event: EventOf<Type>) => ConversationState;

/** Merges a restored conversation. A turn in progress continues, with its message at the end of the transcript. */
const restore: Reducer<'restored'> = (state, { conversation, draft, formDrafts }) => {
  const { turn, queued } = state;
  const isInProgress = isBusy(state);
  // Another tab may have delivered the message that this one is about to send again.
  const delivered = new Set(conversation.messages.filter((each) => !isUndelivered(each)).map(({ key }) => key));
  const isCurrent = (message: ChatMessage) =>
    isTurnMessage(turn)(message) && !(isUndelivered(message) && delivered.has(message.key));
  const current = isInProgress ? state.messages.filter(isCurrent) : [];
  const shown = new Set([...current, ...queued, liveReply(state)].map((message) => message?.key));
  return {
    ...state,
    ...conversation,
    messages: [...conversation.messages.filter(({ key }) => !shown.has(key)), ...current],
    draft,
    formDrafts: { ...formDrafts, ...state.formDrafts },
    status: 'ready',
    turn: isInProgress ? turn : idleTurn,
  };
};

/** The state of a visitor who has typed nothing. */
const emptyFrom = ({ isOtherTabBusy, isMemoryOnly }: ConversationState): ConversationState => ({
  ...initialState,
  isOtherTabBusy,
  isMemoryOnly,
});

const keep = (state: ConversationState, kept: Kept): ConversationState => {
  if (kept === 'newcomer') return state;
  if (kept === 'nothing') return emptyFrom(state);
  const { turn, queued, draft } = state;
  return { ...emptyFrom(state), turn, queued, draft, messages: state.messages.filter(isTurnMessage(turn)) };
};

/** Returns a state without its turn, and without what the visitor has typed since. */
export const withoutTurn = (state: ConversationState): ConversationState => ({
  ...state,
  messages: state.messages.filter((message) => !isTurnMessage(state.turn)(message)),
  turn: idleTurn,
  queued: [],
  draft: '',
});

/** Drops what was erased. A newcomer's state beside it was shown already. */
const clear: Reducer<'cleared'> = (state, { kept }) =>
  kept === 'newcomer' && state.status === 'ready' ? state : { ...keep(state, kept), status: 'ready' };

/** Hides the conversation. */
const lock: Reducer<'locked'> = (state, { kept }) => ({ ...keep(state, kept), status: 'locked' });

/** Shows the conversation that was hidden, together with what was typed meanwhile. */
const unlock: Reducer<'unlocked'> = (state, { held }) => {
  if (!held) return { ...state, status: 'ready' };
  return {
    ...held,
    status: 'ready',
    isOtherTabBusy: state.isOtherTabBusy,
    isMemoryOnly: state.isMemoryOnly,
    messages: [...held.messages, ...state.messages],
    queued: [...held.queued, ...state.queued],
    turn: state.turn.status === 'idle' ? held.turn : state.turn,
    draft: joinDrafts(held.draft, state.draft),
  };
};

/** Drops what was delivered in a conversation that has expired. */
const expire: Reducer<'expired'> = (state) => ({
  ...state,
  ...emptyConversation,
  messages: state.messages.filter(
    (message) => isUndelivered(message) || (isBusy(state) && isTurnMessage(state.turn)(message)),
  ),
});

const reducers: { [Type in ChatEvent['type']]: Reducer<Type> } = {
  restored: restore,
  locked: lock,
  unlocked: unlock,
  suspended: (state) => (state.status === 'ready' ? { ...state, status: 'suspended' } : state),
  cleared: clear,
  expired: expire,
  'storage-failed': (state) => ({ ...state, isMemoryOnly: true }),
  'storage-recovered': (state) => ({ ...state, isMemoryOnly: false }),
  'drafts-replaced': (state, { draft, formDrafts }) => ({ ...state, draft, formDrafts }),
  'draft-changed': (state, { draft }) => (draft === state.draft ? state : { ...state, draft }),
  'message-queued': (state, { message }) => ({ ...state, queued: [...state.queued, message] }),
  'turn-sent': (state, { message }) => startTurn(state, message),
  'turn-delayed': delayTurn,
  'turn-posted': postTurn,
  'turn-failed': failTurn,
  'turn-stopped': stopTurn,
  'turn-withdrawn': withdrawTurn,
  'message-edited': (state, { key }) => editMessage(state, key),
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
  'block-submitted': (state, { key, text }) => ({ ...state, submitted: { ...state.submitted, [key]: text } }),
};

export const reduce = (state: ConversationState, event: ChatEvent): ConversationState =>
  (reducers[event.type] as Reducer<ChatEvent['type']>)(state, event);
