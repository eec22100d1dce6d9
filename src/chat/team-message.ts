/** Decodes a team member's message from the site's relay. */
import { decodeMessage } from '../api/decode.ts';
import { toObject, toText } from '../api/decode-values.ts';
import type { Message } from '../../contract/wire.ts';
import type { ConversationState } from './state/state.ts';

/** Returns the message, or null when it does not belong to the conversation that is shown. */
export const teamMessage = (value: unknown, { conversationId, status }: ConversationState): Message | null => {
  const message = decodeMessage(value);
  const about = toText(toObject(value)['conversation_id']) || conversationId;
  const isShown = status === 'ready' && conversationId !== null && about === conversationId;
  return message?.role === 'assistant' && isShown ? message : null;
};
