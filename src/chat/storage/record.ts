/** The stored form of a conversation: one record per base URL, key and agent, for 24 hours. */
import { isObject, toObject, toObjects, toText, toTextOrNull, toTextRecord, toTexts } from '../../api/decode-values.ts';
import { isExpired } from './peek.ts';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import type { Restored } from '../state/chat-event.ts';
import { replyToMessage } from '../state/reply-events.ts';
import { isBeginning, isUndelivered } from '../state/messages.ts';
import {
  emptyConversation,
  liveReply,
  noticeCodes,
  toolPhases,
  type ChatMessage,
  type ConversationState,
  type NoticeMessage,
} from '../state/state.ts';

/** What an erased record leaves behind, without content. */
export interface Tombstone {
  readonly version: 2;
  /** How often the record was erased: see `erasures.ts`. */
  readonly erasureCount: number;
}

export interface StoredRecord extends Tombstone {
  /** A random value for each write, so that a tab notices the writes of another tab. */
  readonly revision: string;
  /** The start of the record in milliseconds since the epoch. Its 24 hours count from here. */
  readonly startedAt: number;
  readonly conversationId: string | null;
  readonly conversationToken: string | null;
  /** The SHA-256 of the verified user's id, or null for an anonymous visitor. */
  readonly owner: string | null;
  readonly state: string;
  readonly messages: readonly ChatMessage[];
  readonly unread: number;
  readonly submitted: Readonly<Record<string, string>>;
  /** The ids of claimed client tool calls, so that each call runs once across tabs. */
  readonly calls: readonly string[];
}

export const toTombstone = (erasureCount: number): Tombstone => ({ version: 2, erasureCount });

export const isRecord = (entry: StoredRecord | Tombstone | null): entry is StoredRecord =>
  entry !== null && 'startedAt' in entry;

/** The fields of a record without a conversation. */
export const noConversation = { ...emptyConversation, conversationToken: null, calls: [] };

/** Text that was never delivered is stored for a week, so that it survives its conversation but not for ever. */
const undeliveredLifetimeMs = 7 * conversationLifetimeMs;

const roles = new Set(['user', 'assistant', 'notice']);
const phases = new Set<string>(toolPhases);
const notices = new Set<string>(noticeCodes);

const isMessage = (item: unknown): item is ChatMessage =>
  isObject(item) &&
  typeof item['key'] === 'string' &&
  typeof item['at'] === 'number' &&
  roles.has(toText(item['role'])) &&
  (item['role'] === 'notice' ? notices.has(toText(item['code'])) : typeof item['text'] === 'string') &&
  (item['role'] !== 'assistant' ||
    (['sources', 'blocks', 'tools'].every((list) => Array.isArray(item[list]) && item[list].every(isObject)) &&
      toObjects(item['tools']).every(({ name, phase }) => typeof name === 'string' && phases.has(toText(phase)))));

/** Returns the notice in place of a conversation that has expired. Its key is the same in every tab. */
export const expiredNotice = ({ startedAt }: Pick<StoredRecord, 'startedAt'>): NoticeMessage => ({
  role: 'notice',
  key: `expired-${startedAt}`,
  at: startedAt + conversationLifetimeMs,
  code: 'restarted',
});

/** Returns what is left of an expired record: the text that may never have been sent, after a notice. Null when nothing is left. */
const leftover = (record: StoredRecord, now: number): StoredRecord | null => {
  const undelivered = record.messages.filter(isUndelivered);
  const recent = undelivered.filter(({ at }) => !isExpired(at, now, undeliveredLifetimeMs));
  if (recent.length === 0) return null;
  const messages = undelivered.length < record.messages.length ? [expiredNotice(record), ...recent] : recent;
  // A new revision, so that every tab drops the rest. What is added belongs to a new conversation, with 24 hours of its own.
  return { ...record, ...noConversation, messages, revision: `${record.revision} expired`, startedAt: now };
};

/** Returns the notice for a stored value that is an expired record, or null. */
export const findExpired = (value: unknown, now: number): NoticeMessage | null => {
  const { startedAt, messages, owner = null } = toObject(value);
  const isOver = typeof startedAt === 'number' && isExpired(startedAt, now) && toObjects(messages).length > 0;
  return isOver && owner === null ? expiredNotice({ startedAt }) : null;
};

/** Returns the number of a stored value. A record of version 0.1.0 has a list of epochs instead: erased before, or not. */
const toErasureCount = (value: Record<string, unknown>): number =>
  value['version'] === 1
    ? Number(typeof value['erasedAt'] === 'number' || toText(value['previous']) !== '')
    : Number(value['erasureCount']) || 0;

/** Validates a stored value. Returns null when there is no record, or nothing is left of an expired one. */
export const decodeEntry = (value: unknown, now: number): StoredRecord | Tombstone | null => {
  if (!isObject(value) || (value['version'] !== 1 && value['version'] !== 2)) return null;
  const erasureCount = toErasureCount(value);
  const tombstone = erasureCount > 0 ? toTombstone(erasureCount) : null;
  const { startedAt, messages } = value;
  if (typeof startedAt !== 'number' || !Array.isArray(messages)) return tombstone;
  const conversationId = toTextOrNull(value['conversationId']);
  const conversationToken = toTextOrNull(value['conversationToken']);
  const hasCredentials = conversationId !== null && conversationToken !== null;
  const record: StoredRecord = {
    version: 2,
    erasureCount,
    revision: toText(value['revision']),
    // The clock was ahead when the record began. Its 24 hours begin now, so that it neither is lost nor stays for ever.
    startedAt: Math.min(startedAt, now),
    conversationId: hasCredentials ? conversationId : null,
    conversationToken: hasCredentials ? conversationToken : null,
    owner: toTextOrNull(value['owner']),
    state: toText(value['state']) || 'ai_active',
    messages: messages.filter(isMessage),
    unread: Number(value['unread']) || 0,
    submitted: toTextRecord(value['submitted']),
    calls: toTexts(value['calls']),
  };
  return isExpired(record.startedAt, now) ? (leftover(record, now) ?? tombstone) : record;
};

/** Returns the messages of the current conversation, and undelivered ones of earlier conversations. */
const messagesToStore = (state: ConversationState): readonly ChatMessage[] => {
  // A live reply is stored as interrupted, a queued message as unsent.
  const reply = liveReply(state);
  const live = reply ? [replyToMessage(reply, 'interrupted')] : [];
  const messages = [...state.messages, ...live, ...state.queued];
  const restart = messages.findLastIndex(isBeginning);
  return messages.filter((message, index) => index >= restart || isUndelivered(message));
};

/** Returns the part of a record that a state contains. */
export const toRecord = (state: ConversationState) => ({
  version: 2 as const,
  conversationId: state.conversationId,
  state: state.state,
  messages: messagesToStore(state),
  unread: state.unread,
  submitted: state.submitted,
  calls: [],
});

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

/** Whether a record has replaced the one that a tab knows, which has expired or was removed. */
export const hasReplaced = ({ startedAt, messages }: StoredRecord, known: StoredRecord | null): boolean => {
  if (!known || startedAt === known.startedAt) return false;
  const keys = new Set(messages.map(({ key }) => key));
  return !known.messages.some(({ key }) => keys.has(key));
};
