/** Reads conversations with the secret key, for the routes that show or send them to their visitor. */
import type { Api } from './api.ts';

export interface Conversation {
  id: string;
  agent_id: string;
  started_at: string;
}

export interface Message {
  id: string;
  role: string;
  content: string;
  created_at: string;
  [field: string]: unknown;
}

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

const pathOf = (id: string): string => `/conversations/${encodeURIComponent(id)}`;

export const readConversation = (api: Api, id: string): Promise<Conversation> => api('GET', pathOf(id));

/** Returns the first message, or null. */
export const firstMessage = async (api: Api, id: string): Promise<Message | null> => {
  const { data } = await api<Page<Message>>('GET', `${pathOf(id)}/messages?limit=1`);
  return data[0] ?? null;
};

/** Returns all messages, in the order said. */
export const readMessages = async (api: Api, id: string): Promise<Message[]> => {
  const messages: Message[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: Page<Message> = await api('GET', `${pathOf(id)}/messages?${query}`);
    messages.push(...page.data);
    cursor = page.next_cursor;
  }
  return messages;
};
