/** Decodes what the site's relay reports: the messages of team members, and the state of the conversation. */
import { shortened } from '../../contract/characters.ts';
import { decodeMessage } from '../api/decode.ts';
import { toObject, toText } from '../api/decode-values.ts';
import type { Conversation } from './conversation.ts';

/** The longest name of a person that is shown. */
const maxNameLength = 60;

/** Adds a team member's message from the site's relay. Messages of other conversations are ignored. */
export const receive = (conversation: Conversation, value: unknown): void => {
  const { conversationId, status } = conversation.store.state;
  const message = decodeMessage(value);
  const { author, conversation_id } = toObject(value);
  const about = toText(conversation_id) || conversationId;
  const isShown = status === 'ready' && conversationId !== null && about === conversationId;
  if (message?.role !== 'assistant' || !isShown) return;
  const { name, avatar } = toObject(author);
  const shownName = shortened(toText(name).trim(), maxNameLength);
  conversation.receive({
    type: 'message-received',
    message: shownName ? { ...message, author: { name: shownName, avatar: toText(avatar) } } : message,
  });
};

/** Applies a conversation state from the site's relay. */
export const receiveState = (conversation: Conversation, value: unknown): void => {
  const { conversation_id, state } = toObject(value);
  const name = toText(state);
  if (name && toText(conversation_id) === conversation.store.state.conversationId)
    conversation.receive({ type: 'state-changed', state: name });
};
