/** Decides what a tab may do with the stored record, and merges the changes of two tabs. */
import type { ChatMessage } from '../state/state.ts';
import type { Epoch, Erasure } from './erasure-intent.ts';
import { isExpired } from './peek.ts';
import type { StoredRecord } from './record.ts';

/**
 * Whether what a tab knows was erased since: the stored entry belongs to another epoch. Two epochs after the same one are
 * the same erasure by two tabs, and two first ones the same conversation: such a tab joins the stored epoch.
 */
export const isErased = (known: Epoch, stored: Epoch): boolean =>
  stored.epoch !== known.epoch && stored.previous !== known.previous;

/** Whether an erasure applies to an entry: nobody has ended that epoch before. It applies to a tab without an epoch. */
export const appliesTo = ({ epoch, known }: Erasure, entry: Epoch): boolean =>
  entry.epoch !== epoch && !(entry.epoch && known?.every((erased) => isErased(erased, entry)));

/** Whether another tab has begun the next record after this tab's had expired. That erases nothing. */
export const followsExpired = ({ epoch }: Epoch, base: StoredRecord | null, now: number): boolean =>
  base !== null && epoch !== base.epoch && isExpired(base.startedAt, now);

/** Whether `own` is a newer version of the message than `stored`. An outdated tab must not undo another tab's turn. */
const isAhead = (own: ChatMessage, stored: ChatMessage): boolean => {
  if (own.role === 'user' && stored.role === 'user') return stored.delivery !== 'confirmed';
  if (own.role !== 'assistant' || stored.role !== 'assistant') return false;
  return stored.ending !== 'whole' && own.text.length >= stored.text.length;
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
 * Merges the transcripts of two tabs, given what both started from: the stored messages in their newest version without
 * those that this tab has removed, then the messages that only this tab has. A message that the other tab has removed is
 * in `base`, but not in `stored`.
 */
export const mergeMessages = (
  stored: readonly ChatMessage[],
  own: readonly ChatMessage[],
  base: readonly ChatMessage[] = [],
): readonly ChatMessage[] => {
  const [inBase, inStored, inOwn] = [finder(base), finder(stored), finder(own)];
  const updated = stored.flatMap((message) => {
    const mine = inOwn(message);
    if (!mine) return inBase(message) ? [] : [message];
    return [isAhead(mine, message) ? mine : message];
  });
  return [...updated, ...own.filter((message) => !inBase(message) && !inStored(message))];
};

/** What a tab starts from that has read no record. */
const emptyBase = { conversationId: null, state: 'ai_active', unread: 0 };

/**
 * Merges the record of this tab's state into the stored one.
 * @param base The record that this tab has read or written last. A field that equals it was not changed by this tab.
 */
export const mergeRecord = (
  stored: StoredRecord | null,
  base: StoredRecord | null,
  own: StoredRecord,
): StoredRecord => {
  if (!stored) return own;
  const from = base ?? emptyBase;
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
    // A record that only this tab has changed keeps the order of this tab.
    messages:
      stored.revision === base?.revision ? own.messages : mergeMessages(stored.messages, own.messages, base?.messages),
    unread: own.unread === from.unread ? stored.unread : own.unread,
    submitted,
    calls: stored.calls,
  };
};
