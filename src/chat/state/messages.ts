/** Finds and changes the visitor's messages of a state. */
import type { ChatMessage, ConversationState, Delivery, Problem, VisitorMessage } from './state.ts';

/** Creates a message of the visitor. The transcript shows `label` in place of another text, unless it is empty. */
export const createMessage = (
  stamp: Pick<VisitorMessage, 'key' | 'at' | 'tab'>,
  text: string,
  label: string,
): VisitorMessage => ({
  role: 'user',
  ...stamp,
  text,
  ...(label && label !== text && { label }),
  delivery: 'unsent',
});

/** Returns the visitor's message with a key, or null. */
export const visitorMessage = ({ messages }: ConversationState, key: string): VisitorMessage | null => {
  const message = messages.find((each) => each.key === key);
  return message?.role === 'user' ? message : null;
};

/** Joins drafts, so that none is lost. */
export const joinDrafts = (...drafts: readonly string[]): string =>
  drafts.reduce((first, second) => (first === second ? first : [first, second].filter(Boolean).join('\n\n')), '');

/** Whether the service may not have received the message. Such a message outlives its conversation. */
export const isUndelivered = (message: ChatMessage): boolean =>
  message.role === 'user' && message.delivery !== 'confirmed';

/** Whether a message begins a conversation: what is before it belongs to the one that is over. */
export const isBeginning = (message: ChatMessage): boolean => message.role === 'notice' && message.code === 'restarted';

/** @param problem Why the message was not delivered. Without it, an earlier reason does not apply any more. */
export const setDelivery = (
  messages: readonly ChatMessage[],
  key: string,
  delivery: Delivery,
  problem?: Problem,
): readonly ChatMessage[] =>
  messages.map((message) => {
    if (message.key !== key || message.role !== 'user') return message;
    const { problem: _earlier, ...others } = message;
    const isDoubtful = message.isDoubtful || delivery === 'unconfirmed';
    return {
      ...others,
      ...(problem && { problem }),
      isDoubtful,
      delivery: delivery === 'unsent' && isDoubtful ? 'unconfirmed' : delivery,
    };
  });

/** Counts one more attempt to deliver a message. */
export const nextAttempt = (messages: readonly ChatMessage[], key: string): readonly ChatMessage[] =>
  messages.map((message) =>
    message.key === key && message.role === 'user' ? { ...message, attempt: (message.attempt ?? 0) + 1 } : message,
  );
