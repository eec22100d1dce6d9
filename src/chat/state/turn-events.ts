/** Reducers of the events of a turn: sent, delayed, posted, failed, stopped, withdrawn. */
import type { ChatEvent } from './chat-event.ts';
import { endLiveReply } from './reply-events.ts';
import { joinDrafts, nextAttempt, setDelivery, visitorMessage } from './messages.ts';
import { idleTurn, turnInProgress, type ChatMessage, type ConversationState, type VisitorMessage } from './state.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

/** A message that is sent again moves to the end, where its reply will appear. */
export const startTurn = (state: ConversationState, message: VisitorMessage): ConversationState => {
  const isOther = ({ key }: ChatMessage) => key !== message.key;
  return {
    ...state,
    messages: [...state.messages.filter(isOther), message],
    queued: state.queued.filter(isOther),
    turn: { status: 'sending', messageKey: message.key },
  };
};

export const delayTurn = (state: ConversationState, { reason, until }: EventOf<'turn-delayed'>): ConversationState => {
  const turn = turnInProgress(state);
  if (!turn) return state;
  const { messageKey } = turn;
  // A plain call that is being repeated may have arrived. Everything else that waits was certainly not accepted.
  const messages = setDelivery(state.messages, messageKey, reason === 'retrying' ? 'sending' : 'unsent');
  return { ...state, messages, turn: { status: 'waiting', messageKey, reason, until } };
};

export const postTurn = (state: ConversationState): ConversationState => {
  const { turn } = state;
  if (turn.status !== 'waiting' && turn.status !== 'sending') return state;
  const { messageKey } = turn;
  return {
    ...state,
    messages: nextAttempt(setDelivery(state.messages, messageKey, 'sending'), messageKey),
    turn: { status: 'sending', messageKey },
  };
};

export const failTurn = (
  state: ConversationState,
  { problem, delivery }: EventOf<'turn-failed'>,
): ConversationState => {
  const turn = turnInProgress(state);
  if (!turn) return state;
  const { messageKey } = turn;
  return {
    ...state,
    messages: setDelivery(endLiveReply(state, 'interrupted'), messageKey, delivery, problem),
    turn: { status: 'failed', messageKey, problem },
  };
};

export const stopTurn = (state: ConversationState): ConversationState => {
  const turn = turnInProgress(state);
  if (!turn) return state;
  const isPosted = ({ key, ...message }: ChatMessage) =>
    key === turn.messageKey && message.role === 'user' && message.delivery === 'sending';
  const messages = state.messages.some(isPosted)
    ? setDelivery(state.messages, turn.messageKey, 'unconfirmed')
    : endLiveReply(state, 'stopped');
  return { ...state, messages, turn: idleTurn };
};

/** A block whose submission was withdrawn can be submitted again. */
const withdrawSubmission = (
  submitted: ConversationState['submitted'],
  text: string,
): ConversationState['submitted'] => {
  const key = Object.keys(submitted).findLast((each) => submitted[each] === text);
  if (key === undefined) return submitted;
  const { [key]: _withdrawn, ...others } = submitted;
  return others;
};

/** Removes a message from the transcript and puts its text into the composer, behind what is typed there. */
const moveToDraft = (state: ConversationState, message: VisitorMessage): ConversationState => ({
  ...state,
  messages: state.messages.filter(({ key }) => key !== message.key),
  draft: joinDrafts(state.draft, message.label ?? message.text),
  submitted: withdrawSubmission(state.submitted, message.text),
});

/**
 * Takes back a message that was certainly not accepted. Its text returns to an empty composer. Otherwise, or if an earlier
 * copy may have arrived, the message stays in the transcript, where it can be edited or sent again.
 */
export const withdrawTurn = (state: ConversationState): ConversationState => {
  const { turn } = state;
  if (turn.status !== 'waiting' && turn.status !== 'sending') return state;
  const message = visitorMessage(state, turn.messageKey);
  const idle = { ...state, turn: idleTurn };
  if (!message) return idle;
  if (!state.draft && !message.isDoubtful) return moveToDraft(idle, message);
  return { ...idle, messages: setDelivery(state.messages, message.key, 'unsent') };
};

/** Moves a message that was not delivered into the composer. */
export const editMessage = (state: ConversationState, key: string): ConversationState => {
  const message = visitorMessage(state, key);
  if (!message || message.delivery === 'confirmed') return state;
  const { turn } = state;
  const isFailed = turn.status === 'failed' && turn.messageKey === key;
  return moveToDraft(isFailed ? { ...state, turn: idleTurn } : state, message);
};
