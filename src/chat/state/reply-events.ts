/** Reducers of the events that build a reply: its text, sources, blocks and tools, and its end. */
import type { ChatResponse } from '../../../contract/wire.ts';
import type { ChatEvent } from './chat-event.ts';
import { changeState } from './notice-events.ts';
import { setDelivery } from './messages.ts';
import {
  idleTurn,
  liveReply,
  turnInProgress,
  type AgentMessage,
  type ChatMessage,
  type ConversationState,
  type Ending,
  type LiveReply,
  type ToolRun,
} from './state.ts';

type EventOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

const emptyReply = (key: string, at: number): LiveReply => ({ key, at, text: '', sources: [], blocks: [], tools: [] });

/** Turns a live reply into a message of the transcript. */
export const replyToMessage = (reply: LiveReply, ending: Ending): AgentMessage => ({
  role: 'assistant',
  key: reply.key,
  id: '',
  text: reply.text,
  at: reply.at,
  actor: 'ai',
  ending,
  sources: reply.sources,
  blocks: reply.blocks,
  // A tool that is still running when the reply ends gets no further event, so it counts as failed.
  tools: reply.tools.map((run) =>
    run.phase === 'asked' || run.phase === 'running' ? { ...run, phase: 'failed' as const } : run,
  ),
  outcome: null,
  refused: false,
  limit: null,
  degraded: false,
});

const isEmpty = ({ text, blocks, tools }: LiveReply) => !text && blocks.length === 0 && tools.length === 0;

/**
 * Returns where the reply to a message belongs: before the notices that have arrived since the message, such as that a person
 * was asked to join. They come over another connection, so that they may arrive before the reply or after it.
 */
export const replyPlace = (messages: readonly ChatMessage[], messageKey: string): number => {
  const start = messages.findIndex(({ key }) => key === messageKey);
  const notice = messages.findIndex(({ role }, index) => index > start && role === 'notice');
  return start < 0 || notice < 0 ? messages.length : notice;
};

/** Adds a reply to the transcript. */
const insertReply = (
  messages: readonly ChatMessage[],
  messageKey: string,
  reply: AgentMessage,
): readonly ChatMessage[] => messages.toSpliced(replyPlace(messages, messageKey), 0, reply);

/** Adds the live reply to the transcript. A reply that was stopped before its first text leaves nothing. */
export const endLiveReply = (state: ConversationState, ending: Ending): readonly ChatMessage[] => {
  const reply = liveReply(state);
  if (!reply || (ending === 'stopped' && isEmpty(reply))) return state.messages;
  return insertReply(state.messages, turnInProgress(state)?.messageKey ?? '', replyToMessage(reply, ending));
};

export const startReply = (state: ConversationState, { key, at }: EventOf<'reply-started'>): ConversationState => {
  const { turn } = state;
  if (turn.status !== 'sending') return state;
  const { messageKey } = turn;
  return {
    ...state,
    messages: setDelivery(state.messages, messageKey, 'confirmed'),
    turn: { status: 'streaming', messageKey, reply: emptyReply(key, at) },
  };
};

export const updateReply = (
  state: ConversationState,
  update: (reply: LiveReply) => Partial<LiveReply>,
): ConversationState => {
  const { turn } = state;
  return turn.status === 'streaming' || turn.status === 'calling'
    ? { ...state, turn: { ...turn, reply: { ...turn.reply, ...update(turn.reply) } } }
    : state;
};

export const changeTool = (state: ConversationState, run: ToolRun): ConversationState => {
  const { turn } = state;
  if (turn.status !== 'streaming' && turn.status !== 'calling') return state;
  const { tools } = turn.reply;
  const place = tools.findIndex(({ callId }) => callId === run.callId);
  // A run keeps its place: a prompt must not move under the visitor's finger.
  const reply = { ...turn.reply, tools: place < 0 ? [...tools, run] : tools.with(place, run) };
  const isCalling = reply.tools.some(({ phase }) => phase === 'asked' || phase === 'running');
  return { ...state, turn: { ...turn, status: isCalling ? 'calling' : 'streaming', reply } };
};

/** Removes the reply of this turn if the site's relay has already delivered it. */
const withoutDelivered = (messages: readonly ChatMessage[], messageKey: string, id: string): readonly ChatMessage[] => {
  const start = messages.findIndex(({ key }) => key === messageKey);
  const isDelivered = (message: ChatMessage) => message.role === 'assistant' && id !== '' && message.id === id;
  return messages.filter((message, index) => index < start || !isDelivered(message));
};

/** Returns a response with the text and the blocks that were streamed, if its own message is empty. */
export const withStreamed = (response: ChatResponse, live: LiveReply | null): ChatResponse => {
  const { message } = response;
  if (message?.content || !live || (!live.text && live.blocks.length === 0)) return response;
  const blocks = message?.blocks ?? live.blocks;
  return { ...response, message: { id: '', role: 'assistant', ...message, content: live.text, blocks: [...blocks] } };
};

/** `done` wins over the deltas: the contract sends the whole message in it. */
export const endReply = (
  state: ConversationState,
  { response, key, at }: EventOf<'reply-ended'>,
): ConversationState => {
  const turn = turnInProgress(state);
  if (!turn) return state;
  const live = liveReply(state) ?? emptyReply(key, at);
  const { message, sources } = response;
  const reply: AgentMessage = {
    ...replyToMessage(live, 'whole'),
    id: message?.id ?? '',
    text: message?.content ?? live.text,
    lang: message?.lang,
    actor: message?.actor_type ?? 'ai',
    sources: sources.length > 0 ? sources : live.sources,
    blocks: message?.blocks ?? live.blocks,
    outcome: response.outcome ?? null,
    refused: response.refused,
    limit: response.limit ?? null,
    degraded: response.degraded,
  };
  const messages = setDelivery(
    withoutDelivered(state.messages, turn.messageKey, reply.id),
    turn.messageKey,
    'confirmed',
  );
  const next: ConversationState = {
    ...state,
    messages: message || !isEmpty(live) ? insertReply(messages, turn.messageKey, reply) : messages,
    turn: idleTurn,
    conversationId: state.conversationId ?? response.conversation_id,
  };
  return response.state ? changeState(next, response.state, `${key}-state`, at) : next;
};

/** Appends a message from the site's relay. A message that is already shown is ignored. */
export const receiveMessage = (
  state: ConversationState,
  { message, key, at }: EventOf<'message-received'>,
): ConversationState => {
  if (message.id && state.messages.some((known) => known.role === 'assistant' && known.id === message.id)) return state;
  const reply: LiveReply = {
    ...emptyReply(key, Date.parse(message.created_at ?? '') || at),
    text: message.content,
    sources: message.sources ?? [],
    blocks: message.blocks ?? [],
  };
  const actor = message.actor_type ?? 'owner';
  // A person's first message says that a person has joined, also when it arrives before the new state.
  const joined = actor === 'owner' ? changeState(state, 'human_active', `${key}-joined`, at) : state;
  const received: AgentMessage = {
    ...replyToMessage(reply, 'whole'),
    id: message.id,
    lang: message.lang,
    actor,
    author: message.author?.name,
    avatar: message.author?.avatar,
    outcome: message.outcome ?? null,
    refused: message.refused === true,
  };
  return { ...joined, messages: [...joined.messages, received] };
};
