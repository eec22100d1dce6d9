/** The next state of a conversation after an event: pure, total, and the only place where state is made. */
import type { ChatEvent } from './chat-event.ts';
import {
  initialState,
  isBusy,
  liveAnswer,
  type AgentMessage,
  type ChatMessage,
  type ConversationState,
  type Delivery,
  type Ending,
  type LiveAnswer,
  type NoticeMessage,
  type ToolRun,
  type Turn,
} from './state.ts';

/** The message that the turn sends. */
const isCurrent = (turn: Turn, { key }: ChatMessage) => turn.status !== 'idle' && key === turn.messageKey;

const idle: Turn = { status: 'idle' };

const setDelivery = (messages: readonly ChatMessage[], key: string, delivery: Delivery): readonly ChatMessage[] =>
  messages.map((message) => (message.key === key && message.role === 'user' ? { ...message, delivery } : message));

/** A live answer as a message of the transcript. */
export const answerToMessage = (answer: LiveAnswer, ending: Ending): AgentMessage => ({
  role: 'assistant',
  key: answer.key,
  id: '',
  text: answer.text,
  at: answer.at,
  actor: 'ai',
  ending,
  sources: answer.sources,
  blocks: answer.blocks,
  // A run that was under way when the answer ended has no other end to come.
  tools: answer.tools.map((run) =>
    run.phase === 'asked' || run.phase === 'running' ? { ...run, phase: 'failed' as const } : run,
  ),
  outcome: null,
  refused: false,
  limit: null,
  degraded: false,
});

const isEmpty = ({ text, blocks, tools }: LiveAnswer) => !text && blocks.length === 0 && tools.length === 0;

/** The transcript with the live answer in its place, ended so; a visitor's Stop before the first word leaves nothing. */
const endLive = (state: ConversationState, ending: Ending): readonly ChatMessage[] => {
  const answer = liveAnswer(state);
  if (!answer || (ending === 'stopped' && isEmpty(answer))) return state.messages;
  return [...state.messages, answerToMessage(answer, ending)];
};

const updateLive = (state: ConversationState, change: (answer: LiveAnswer) => LiveAnswer): ConversationState => {
  const { turn } = state;
  return turn.status === 'streaming' || turn.status === 'calling'
    ? { ...state, turn: { ...turn, answer: change(turn.answer) } }
    : state;
};

const changeTool = (state: ConversationState, run: ToolRun): ConversationState => {
  const { turn } = state;
  if (turn.status !== 'streaming' && turn.status !== 'calling') return state;
  const others = turn.answer.tools.filter(({ callId }) => callId !== run.callId);
  const answer = { ...turn.answer, tools: [...others, run] };
  const isCalling = answer.tools.some(({ phase }) => phase === 'asked' || phase === 'running');
  return { ...state, turn: { ...turn, status: isCalling ? 'calling' : 'streaming', answer } };
};

/** `done` is the whole truth: it wins over what the deltas said. */
const endReply = (
  state: ConversationState,
  { response, key, at }: Extract<ChatEvent, { type: 'reply-ended' }>,
): ConversationState => {
  const { turn } = state;
  if (turn.status === 'idle' || turn.status === 'failed') return state;
  const live = liveAnswer(state) ?? { key, at, text: '', sources: [], blocks: [], tools: [] };
  const { message, sources } = response;
  // An end without a word does not take back what was said.
  const text = message?.content || live.text;
  const reply: AgentMessage = {
    ...answerToMessage(live, 'whole'),
    id: message?.id ?? '',
    text,
    lang: message?.lang,
    actor: message?.actor_type ?? 'ai',
    sources: sources.length > 0 ? sources : live.sources,
    blocks: message?.blocks ?? live.blocks,
    outcome: response.outcome ?? null,
    refused: response.refused,
    limit: response.limit ?? null,
    degraded: response.degraded,
  };
  const messages = setDelivery(state.messages, turn.messageKey, 'confirmed');
  const next: ConversationState = {
    ...state,
    messages: message || !isEmpty(live) ? [...messages, reply] : messages,
    turn: idle,
    conversationId: state.conversationId ?? response.conversation_id,
  };
  return response.state ? changeState(next, response.state, `${key}-state`, at) : next;
};

const noticeFor = (from: string, to: string): NoticeMessage['code'] | null => {
  if (to === 'closed') return 'closed';
  if (to === 'human_active') return 'joined';
  if (to === 'handoff_requested') return from === 'human_active' ? null : 'handoff';
  return to === 'ai_active' ? 'returned' : null;
};

const changeState = (state: ConversationState, to: string, key: string, at: number): ConversationState => {
  if (to === state.state) return state;
  const code = noticeFor(state.state, to);
  const notice: readonly NoticeMessage[] = code ? [{ role: 'notice', key, at, code }] : [];
  return { ...state, state: to, messages: [...state.messages, ...notice] };
};

const receive = (
  state: ConversationState,
  { message, key, at }: Extract<ChatEvent, { type: 'message-received' }>,
): ConversationState => {
  if (message.id && state.messages.some((known) => known.role === 'assistant' && known.id === message.id)) return state;
  const { content: text, lang, sources = [] } = message;
  const said = { key, at: Date.parse(message.created_at ?? '') || at, text, sources, blocks: message.blocks ?? [] };
  const received: AgentMessage = {
    ...answerToMessage({ ...said, tools: [] }, 'whole'),
    id: message.id,
    lang,
    actor: message.actor_type ?? 'owner',
    outcome: message.outcome ?? null,
    refused: message.refused === true,
  };
  return { ...state, messages: [...state.messages, received] };
};

const fail = (
  state: ConversationState,
  { problem, delivery }: Extract<ChatEvent, { type: 'turn-failed' }>,
): ConversationState => {
  const { turn } = state;
  if (turn.status === 'idle' || turn.status === 'failed') return state;
  const { messageKey } = turn;
  return {
    ...state,
    messages: setDelivery(endLive(state, 'interrupted'), messageKey, delivery),
    turn: { status: 'failed', messageKey, problem },
  };
};

const stop = (state: ConversationState): ConversationState => {
  const { turn } = state;
  if (turn.status === 'idle' || turn.status === 'failed') return state;
  const isPosted = ({ key, ...message }: ChatMessage) =>
    key === turn.messageKey && message.role === 'user' && message.delivery === 'sending';
  const messages = state.messages.some(isPosted)
    ? setDelivery(state.messages, turn.messageKey, 'unconfirmed')
    : endLive(state, 'stopped');
  return { ...state, messages, turn: idle };
};

/** A new conversation begins with the message that is being sent, so its notice stands before that. */
const addNotice = (
  state: ConversationState,
  { code, key, at }: Extract<ChatEvent, { type: 'notice-added' }>,
): ConversationState => {
  const notice: NoticeMessage = { role: 'notice', key, at, code };
  if (code !== 'restarted') return { ...state, messages: [...state.messages, notice] };
  const isSent = (message: ChatMessage) => isCurrent(state.turn, message);
  const before = state.messages.filter((message) => !isSent(message));
  const messages = [...before, notice, ...state.messages.filter(isSent)];
  return { ...state, conversationId: null, state: 'ai_active', messages };
};

/** A turn that is under way goes on, with its message at the end of what was restored. */
const restore = (
  state: ConversationState,
  { conversation, draft }: Extract<ChatEvent, { type: 'restored' }>,
): ConversationState => {
  const { turn } = state;
  const isUnderWay = isBusy(state);
  const current = state.messages.filter((message) => isUnderWay && isCurrent(turn, message));
  const others = conversation.messages.filter(({ key }) => !current.some((message) => message.key === key));
  return {
    ...state,
    ...conversation,
    messages: [...others, ...current],
    draft: state.draft || draft,
    status: 'ready',
    turn: isUnderWay ? turn : idle,
  };
};

/** The block whose answer was taken back can be answered again. */
const withdraw = (submitted: ConversationState['submitted'], text: string): ConversationState['submitted'] => {
  const key = Object.keys(submitted).findLast((each) => submitted[each] === text);
  if (key === undefined) return submitted;
  const { [key]: _withdrawn, ...others } = submitted;
  return others;
};

export const reduce = (state: ConversationState, event: ChatEvent): ConversationState => {
  const { turn } = state;
  switch (event.type) {
    case 'restored':
      return restore(state, event);
    case 'locked':
      return { ...state, status: 'locked' };
    case 'unlocked':
      return { ...state, status: 'ready' };
    case 'cleared': {
      const { isElsewhere, isMemoryOnly } = state;
      const kept = { ...initialState, isElsewhere, isMemoryOnly, status: 'ready' as const };
      // A turn that is under way goes on, as the first of a new conversation.
      if (isBusy(state))
        return { ...kept, turn, messages: state.messages.filter((message) => isCurrent(turn, message)) };
      return { ...kept, draft: event.keepDraft ? state.draft : '' };
    }
    case 'storage-failed':
      return { ...state, isMemoryOnly: true };
    case 'draft-changed':
      return event.draft === state.draft ? state : { ...state, draft: event.draft };
    case 'turn-sent': {
      const { message } = event;
      // A message that is sent again moves to the end, where its answer will stand.
      const messages = [...state.messages.filter(({ key }) => key !== message.key), message];
      return { ...state, messages, turn: { status: 'sending', messageKey: message.key } };
    }
    case 'turn-delayed': {
      if (turn.status === 'idle' || turn.status === 'failed') return state;
      const { messageKey } = turn;
      const { reason, until } = event;
      // A repeated plain call may have arrived; whatever else waits was certainly not taken.
      const messages = setDelivery(state.messages, messageKey, reason === 'retrying' ? 'sending' : 'unsent');
      return { ...state, messages, turn: { status: 'waiting', messageKey, reason, until } };
    }
    case 'turn-posted':
      if (turn.status !== 'waiting' && turn.status !== 'sending') return state;
      return {
        ...state,
        messages: setDelivery(state.messages, turn.messageKey, 'sending'),
        turn: { status: 'sending', messageKey: turn.messageKey },
      };
    case 'answer-began': {
      if (turn.status !== 'sending') return state;
      const { key, at } = event;
      const answer: LiveAnswer = { key, at, text: '', sources: [], blocks: [], tools: [] };
      const messages = setDelivery(state.messages, turn.messageKey, 'confirmed');
      return { ...state, messages, turn: { status: 'streaming', messageKey: turn.messageKey, answer } };
    }
    case 'text-added':
      return updateLive(state, (answer) => ({ ...answer, text: answer.text + event.text }));
    case 'sources-found':
      return updateLive(state, (answer) => ({ ...answer, sources: event.sources }));
    case 'blocks-added':
      return updateLive(state, (answer) => ({ ...answer, blocks: [...answer.blocks, ...event.blocks] }));
    case 'tool-changed':
      return changeTool(state, event.run);
    case 'conversation-known':
      return { ...state, conversationId: event.conversationId };
    case 'reply-ended':
      return endReply(state, event);
    case 'turn-stopped':
      return stop(state);
    case 'turn-failed':
      return fail(state, event);
    case 'turn-withdrawn': {
      // It was certainly not taken: the text goes back to where it was typed.
      if (turn.status !== 'waiting' && turn.status !== 'sending') return state;
      const message = state.messages.find(({ key }) => key === turn.messageKey);
      const text = message?.role === 'user' ? message.text : '';
      const messages = state.messages.filter(({ key }) => key !== turn.messageKey);
      const submitted = withdraw(state.submitted, text);
      return { ...state, messages, turn: idle, draft: state.draft || text, submitted };
    }
    case 'message-dropped': {
      const messages = state.messages.filter(({ key }) => key !== event.key);
      if (messages.length === state.messages.length) return state;
      const dropped = state.messages.find(({ key }) => key === event.key);
      const submitted = dropped?.role === 'user' ? withdraw(state.submitted, dropped.text) : state.submitted;
      const isFailed = turn.status === 'failed' && turn.messageKey === event.key;
      return { ...state, messages, turn: isFailed ? idle : turn, submitted };
    }
    case 'notice-added':
      return addNotice(state, event);
    case 'state-changed':
      return changeState(state, event.state, event.key, event.at);
    case 'message-received':
      return receive(state, event);
    case 'elsewhere-changed':
      return event.isElsewhere === state.isElsewhere ? state : { ...state, isElsewhere: event.isElsewhere };
    case 'unread-counted':
      return { ...state, unread: state.unread + 1 };
    case 'read':
      return state.unread === 0 ? state : { ...state, unread: 0 };
    case 'form-drafted':
      return { ...state, formDrafts: { ...state.formDrafts, [event.key]: event.draft } };
    case 'form-drafts-dropped':
      return { ...state, formDrafts: {} };
    case 'block-submitted':
      return { ...state, submitted: { ...state.submitted, [event.key]: event.text } };
    default:
      return event satisfies never;
  }
};
