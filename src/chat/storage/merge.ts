/** Merges what two tabs know of one conversation. */
import { isBeginning, isUndelivered } from '../state/messages.ts';
import { emptyConversation, type ChatMessage, type Delivery, type VisitorMessage } from '../state/state.ts';
import type { StoredRecord } from './record.ts';

/** The order of the deliveries within one attempt. */
const progress: Record<Delivery, number> = { sending: 0, unsent: 1, unconfirmed: 2, confirmed: 3 };

/**
 * Returns the later of two versions of a visitor's message: a confirmed one, or else the one of the later attempt. The order is
 * total, so versions can be merged in any order, and as often as they arrive.
 */
export const laterVersion = (one: VisitorMessage, other: VisitorMessage): VisitorMessage => {
  const isConfirmed = Number(other.delivery === 'confirmed') - Number(one.delivery === 'confirmed');
  const attempts = (other.attempt ?? 0) - (one.attempt ?? 0);
  return (isConfirmed || attempts || progress[other.delivery] - progress[one.delivery]) > 0 ? other : one;
};

/** Returns the newer version of a message. Only the tab that runs the turn of a visitor's message changes it. */
const newerVersion = (stored: ChatMessage, own: ChatMessage, tab: string): ChatMessage => {
  if (own.role === 'user' && stored.role === 'user') return own.tab === tab ? laterVersion(stored, own) : stored;
  if (own.role !== 'assistant' || stored.role !== 'assistant') return stored;
  // The text of a whole reply is the service's, also where it is shorter than what was streamed.
  const isStored = stored.ending === 'whole' || (own.ending !== 'whole' && own.text.length < stored.text.length);
  return isStored ? stored : own;
};

/** The id that the service has given to a reply, or the key of another message. */
const idOf = (message: ChatMessage): string => (message.role === 'assistant' && message.id) || message.key;

/** Returns a function that finds the message of a list with the same key, or else with the same id. */
const finder = (messages: readonly ChatMessage[]) => {
  const byKey = new Map(messages.map((message) => [message.key, message]));
  const byId = new Map(messages.map((message) => [idOf(message), message]));
  return (message: ChatMessage) => byKey.get(message.key) ?? byId.get(idOf(message));
};

/**
 * Merges the transcripts of two tabs, given what both started from: the stored messages in their newer version without those
 * that this tab has removed, then the messages that only this tab has. A message that the other tab has removed is in `base`,
 * but not in `stored`. Both tabs may have noticed that the conversation before has expired. What this tab has delivered since
 * belongs to the conversation that the other tab has begun.
 * @param tab The id of this tab.
 */
export const mergeMessages = (
  stored: readonly ChatMessage[],
  own: readonly ChatMessage[],
  base: readonly ChatMessage[],
  tab: string,
): readonly ChatMessage[] => {
  const [inBase, inStored, inOwn] = [finder(base), finder(stored), finder(own)];
  const beginningAt = stored.findLastIndex(isBeginning);
  const delivered = new Set<ChatMessage>();
  const merged = stored.flatMap((message, index) => {
    const mine = inOwn(message);
    if (!mine) return inBase(message) ? [] : [message];
    const newer = newerVersion(message, mine, tab);
    if (index > beginningAt || !isUndelivered(message) || isUndelivered(newer)) return [newer];
    delivered.add(newer);
    return [];
  });
  const added = own.filter((message) => delivered.has(message) || !(inBase(message) || inStored(message)));
  const beginning = merged.some(isBeginning) ? [] : added.filter(isBeginning);
  return [...beginning, ...merged, ...added.filter((message) => !isBeginning(message))];
};

/** Returns the messages of this tab, in its order, in their newer version. No other tab has changed the record. */
const updateMessages = (stored: readonly ChatMessage[], own: readonly ChatMessage[], tab: string): ChatMessage[] => {
  const inStored = finder(stored);
  return own.map((message) => {
    const before = inStored(message);
    return before ? newerVersion(before, message, tab) : message;
  });
};

/**
 * Merges the record of this tab's state into the stored one.
 * @param base The record that this tab has read or written last. A field that equals it was not changed by this tab.
 * @param tab The id of this tab.
 */
export const mergeRecord = (
  stored: StoredRecord | null,
  base: StoredRecord | null,
  own: StoredRecord,
  tab: string,
): StoredRecord => {
  if (!stored) return own;
  const from = base ?? emptyConversation;
  // The lifetime belongs to the conversation: chosen apart, a new conversation would end with the one before it.
  const { conversationId, conversationToken, startedAt } = own.conversationId === from.conversationId ? stored : own;
  const submitted = { ...stored.submitted, ...own.submitted };
  // A message that is edited withdraws its submission, in either tab.
  for (const key of Object.keys(base?.submitted ?? {}))
    if (!(key in stored.submitted && key in own.submitted)) delete submitted[key];
  return {
    ...own,
    revision: stored.revision,
    startedAt,
    conversationId,
    conversationToken,
    state: own.state === from.state ? stored.state : own.state,
    messages:
      stored.revision === base?.revision
        ? updateMessages(stored.messages, own.messages, tab)
        : mergeMessages(stored.messages, own.messages, base?.messages ?? [], tab),
    unread: own.unread === from.unread ? stored.unread : own.unread,
    submitted,
    calls: stored.calls,
  };
};

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/** Whether a merged record changes nothing in the stored one. */
export const isUnchanged = (merged: StoredRecord, stored: StoredRecord): boolean =>
  isSameList(merged.messages, stored.messages) &&
  isSameList(Object.entries(merged.submitted).flat(), Object.entries(stored.submitted).flat()) &&
  (['startedAt', 'conversationId', 'conversationToken', 'owner', 'state', 'unread'] as const).every(
    (field) => merged[field] === stored[field],
  );
