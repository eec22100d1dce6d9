/** Reads conversations with the secret key, for the routes that show or send them to their visitor. */
import { z } from 'zod';
import { listed, type Api } from './api.ts';

/** The id of a conversation, as a page sends it. */
export const conversationId = z.string().regex(/^[\w-]{1,100}$/);

export interface Conversation {
  id: string;
  agent_id: string;
  started_at: string;
  state: string;
}

export interface Message {
  id: string;
  role: string;
  content: string;
  created_at: string;
  [field: string]: unknown;
}

const pathOf = (id: string): string => `/conversations/${encodeURIComponent(id)}`;

export const readConversation = (api: Api, id: string): Promise<Conversation> => api('GET', pathOf(id));

/** Reads the messages, in the order said. */
export const readMessages = (api: Api, id: string, query?: Record<string, string>): AsyncGenerator<Message> =>
  listed(api, `${pathOf(id)}/messages`, query);

/** Returns the first message, or null. */
export const firstMessage = async (api: Api, id: string): Promise<Message | null> => {
  for await (const message of readMessages(api, id, { limit: '1' })) return message;
  return null;
};

/** Returns all messages. */
export const allMessages = async (api: Api, id: string): Promise<Message[]> => {
  const messages: Message[] = [];
  for await (const message of readMessages(api, id)) messages.push(message);
  return messages;
};
