/** Decodes a team member's message from the site's relay. */
import { decodeMessage } from '../api/decode.ts';
import { toObject, toText } from '../api/decode-values.ts';
import type { RelayedMessage } from '../../contract/wire.ts';
import type { ConversationState } from './state/state.ts';

/** The longest name of a person that is shown. */
const maxNameLength = 60;

/** Returns the message, or null when it does not belong to the conversation that is shown. */
export const teamMessage = (value: unknown, { conversationId, status }: ConversationState): RelayedMessage | null => {
  const message = decodeMessage(value);
  const { author, conversation_id } = toObject(value);
  const about = toText(conversation_id) || conversationId;
  const isShown = status === 'ready' && conversationId !== null && about === conversationId;
  if (message?.role !== 'assistant' || !isShown) return null;
  const { name, avatar } = toObject(author);
  const shownName = toText(name).trim().slice(0, maxNameLength);
  return shownName ? { ...message, author: { name: shownName, avatar: toText(avatar) } } : message;
};
