/** The stored form of a conversation: one record per base URL, key and agent, for 24 hours. */
import { isObject, toObjects, toText, toTextOrNull, toTextRecord, toTexts } from '../../api/decode-values.ts';
import type { Epoch, Erasure } from './erasure-intent.ts';
import { isExpired } from './peek.ts';
import { conversationLifetimeMs } from '../../../contract/limits.ts';
import type { Restored } from '../state/chat-event.ts';
import { replyToMessage } from '../state/reply-events.ts';
import { isUndelivered } from '../state/messages.ts';
import { liveReply, type ChatMessage, type ConversationState } from '../state/state.ts';

export interface StoredRecord {
  readonly version: 1;
  /** Identifies the record until it is erased. A tab that knows another epoch may not write to it. */
  readonly epoch: string;
  /** The epoch that was erased before, or null for the first record. */
  readonly previous: string | null;
  /** When that one was erased, in milliseconds since the epoch, or 0. */
  readonly begunAt: number;
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

/** What an erased record leaves behind, without content: the epoch of the record that may follow it. */
export interface Tombstone {
  readonly version: 1;
  readonly epoch: string;
  readonly previous: string | null;
  readonly erasedAt: number;
}

/**
 * Returns what is left of a stored entry after an erasure. It follows the erasure that was pending before, or else the entry.
 * If there was neither, it is still not taken for the first record of another tab. What a tab has erased that had
 * not read it is unknown: no other tab may join such an epoch.
 */
export const toTombstone = ({ epoch, known, erasedAt }: Erasure, stored: Epoch | null): Tombstone => {
  const followed = known?.[1] || !stored?.epoch ? known?.at(-1) : stored;
  return { version: 1, epoch, previous: known ? (followed?.epoch ?? 'none') : `before ${epoch}`, erasedAt };
};

export const isRecord = (entry: StoredRecord | Tombstone | null): entry is StoredRecord =>
  entry !== null && 'startedAt' in entry;

/** Text that was never delivered is kept for a week, so that it survives its conversation but not for ever. */
const undeliveredLifetimeMs = 7 * conversationLifetimeMs;

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

/** Returns what is left of an expired record: the text that may never have been sent. Null when nothing is left. */
const leftover = (record: StoredRecord, now: number): StoredRecord | null => {
  const messages = record.messages.filter(isUndelivered);
  if (isExpired(record.startedAt, now, undeliveredLifetimeMs) || (messages.length === 0 && !record.draft)) return null;
  const empty = {
    conversationId: null,
    conversationToken: null,
    state: 'ai_active',
    unread: 0,
    submitted: {},
    calls: [],
  };
  // A new revision, so that every tab drops the rest. What is added belongs to a new conversation, with 24 hours of its own.
  return { ...record, ...empty, messages, revision: record.revision + 1, startedAt: now };
};

/** Validates a stored value. Returns null when there is no record, or nothing is left of an expired one. */
export const decodeEntry = (value: unknown, now: number): StoredRecord | Tombstone | null => {
  if (!isObject(value) || value['version'] !== 1) return null;
  // Records of earlier versions have no epoch.
  const epoch = toText(value['epoch']) || 'first';
  const { startedAt, erasedAt, revision, messages } = value;
  const previous = toTextOrNull(value['previous']);
  if (typeof erasedAt === 'number') return isExpired(erasedAt, now) ? null : { version: 1, epoch, previous, erasedAt };
  if (typeof startedAt !== 'number' || typeof revision !== 'number' || !Array.isArray(messages)) return null;
  const conversationId = toTextOrNull(value['conversationId']);
  const conversationToken = toTextOrNull(value['conversationToken']);
  const hasCredentials = conversationId !== null && conversationToken !== null;
  const record: StoredRecord = {
    version: 1,
    epoch,
    previous,
    begunAt: Number(value['begunAt']) || 0,
    revision,
    startedAt,
    conversationId: hasCredentials ? conversationId : null,
    conversationToken: hasCredentials ? conversationToken : null,
    owner: toTextOrNull(value['owner']),
    state: toText(value['state']) || 'ai_active',
    messages: messages.filter(isKnown),
    draft: toText(value['draft']),
    unread: Number(value['unread']) || 0,
    submitted: toTextRecord(value['submitted']),
    calls: toTexts(value['calls']),
  };
  return isExpired(startedAt, now) ? leftover(record, now) : record;
};

/** Returns the messages of the current conversation, and undelivered ones of earlier conversations. */
const messagesToStore = (state: ConversationState): readonly ChatMessage[] => {
  // A live reply is stored as interrupted, a queued message as unsent.
  const reply = liveReply(state);
  const live = reply ? [replyToMessage(reply, 'interrupted')] : [];
  const messages = [...state.messages, ...live, ...state.queued];
  const restart = messages.findLastIndex((message) => message.role === 'notice' && message.code === 'restarted');
  return messages.filter((message, index) => index >= restart || isUndelivered(message));
};

/** Returns the part of a record that a state contains. */
export const toRecord = (state: ConversationState) => ({
  version: 1 as const,
  conversationId: state.conversationId,
  state: state.state,
  messages: messagesToStore(state),
  draft: state.draft,
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
