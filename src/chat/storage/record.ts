/** The stored form of a conversation: one record per base URL, key and agent, for 24 hours. */
import { isObject, toObjects, toText } from '../../api/decode-values.ts';
import { isExpired } from './peek.ts';
import type { Restored } from '../state/chat-event.ts';
import { replyToMessage } from '../state/reply-events.ts';
import { liveReply, type ChatMessage, type ConversationState } from '../state/state.ts';

export interface StoredRecord {
  readonly version: 1;
  /** The number of writes that changed the transcript, so that a tab notices the writes of another tab. */
  readonly revision: number;
  /** The start of the record in milliseconds since the epoch. Its 24 hours count from here. */
  readonly startedAt: number;
  readonly conversationId: string | null;
  readonly conversationToken: string | null;
  /** The SHA-256 of the verified user's id, or null for an anonymous visitor. */
  readonly owner: string | null;
  readonly state: string;
  readonly messages: readonly ChatMessage[];
  readonly draft: string;
  readonly unread: number;
  readonly submitted: Readonly<Record<string, string>>;
  /** The ids of claimed client tool calls, so that each call runs once across tabs. */
  readonly calls: readonly string[];
}

const roles = new Set(['user', 'assistant', 'notice']);
const phases = new Set(['asked', 'running', 'answered', 'failed', 'refused']);
const notices = new Set(['restarted', 'handoff', 'joined', 'returned', 'closed', 'unlinked']);

const isMessage = (item: unknown): item is ChatMessage =>
  isObject(item) &&
  typeof item['key'] === 'string' &&
  typeof item['at'] === 'number' &&
  roles.has(toText(item['role'])) &&
  (item['role'] === 'notice' ? notices.has(toText(item['code'])) : typeof item['text'] === 'string') &&
  (item['role'] !== 'assistant' ||
    (['sources', 'blocks', 'tools'].every((list) => Array.isArray(item[list]) && item[list].every(isObject)) &&
      toObjects(item['tools']).every(({ name, phase }) => typeof name === 'string' && phases.has(toText(phase)))));

/** Messages that were validated before. A message object is never modified. */
const known = new WeakSet<object>();
const isKnown = (item: unknown): item is ChatMessage => {
  if (!known.has(item as object) && isMessage(item)) known.add(item);
  return known.has(item as object);
};

/** Validates a stored value. Returns null when it is not a record, or has expired. */
export const decodeRecord = (value: unknown, now: number): StoredRecord | null => {
  if (!isObject(value) || value['version'] !== 1) return null;
  const { startedAt, revision, messages } = value;
  if (typeof startedAt !== 'number' || typeof revision !== 'number' || !Array.isArray(messages)) return null;
  if (isExpired(startedAt, now)) return null;
  const { conversationId, conversationToken, owner, unread, submitted, calls } = value;
  const hasCredentials = typeof conversationId === 'string' && typeof conversationToken === 'string';
  return {
    version: 1,
    revision,
    startedAt,
    conversationId: hasCredentials ? conversationId : null,
    conversationToken: hasCredentials ? conversationToken : null,
    owner: typeof owner === 'string' ? owner : null,
    state: toText(value['state']) || 'ai_active',
    messages: messages.filter(isKnown),
    draft: toText(value['draft']),
    unread: typeof unread === 'number' ? unread : 0,
    submitted: isObject(submitted)
      ? Object.fromEntries(Object.entries(submitted).map(([key, text]) => [key, toText(text)]))
      : {},
    calls: Array.isArray(calls) ? calls.filter((call) => typeof call === 'string') : [],
  };
};

/** Returns the messages of the current conversation. A live reply is stored as interrupted. */
export const messagesToStore = (state: ConversationState): readonly ChatMessage[] => {
  const reply = liveReply(state);
  const messages = reply ? [...state.messages, replyToMessage(reply, 'interrupted')] : state.messages;
  const restart = messages.findLastIndex((message) => message.role === 'notice' && message.code === 'restarted');
  return restart > 0 ? messages.slice(restart) : messages;
};

/** Returns the state to restore. A message that was being sent when the page ended may have arrived. */
export const restoreRecord = ({ messages, conversationId, state, unread, submitted }: StoredRecord): Restored => ({
  messages: messages.map((message) =>
    message.role === 'user' && message.delivery !== 'unsent' && message.delivery !== 'confirmed'
      ? { ...message, delivery: 'unconfirmed' }
      : message,
  ),
  conversationId,
  state,
  unread,
  submitted,
});

/** Whether `own` is a newer version of the message than `stored`. An outdated tab must not undo another tab's turn. */
const isAhead = (own: ChatMessage, stored: ChatMessage): boolean => {
  if (own.role === 'user' && stored.role === 'user') return stored.delivery !== 'confirmed';
  if (own.role !== 'assistant' || stored.role !== 'assistant') return false;
  return stored.ending !== 'whole' && own.text.length >= stored.text.length;
};

/** Merges two tabs' transcripts: the stored messages in their newest version, then the messages of this tab only. */
export const mergeMessages = (stored: readonly ChatMessage[], own: readonly ChatMessage[]): readonly ChatMessage[] => {
  const id = (message: ChatMessage) => (message.role === 'assistant' ? message.id : '');
  const isSame = (one: ChatMessage) => (other: ChatMessage) =>
    one.key === other.key || (id(one) !== '' && id(one) === id(other));
  const updated = stored.map((message) => {
    const mine = own.find(isSame(message));
    return mine && isAhead(mine, message) ? mine : message;
  });
  return [...updated, ...own.filter((message) => !stored.some(isSame(message)))];
};
