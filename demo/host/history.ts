/**
 * The past conversations of a customer. Which conversations are a customer's is known here alone: a page that is signed in
 * and has connected to the relay with the proof of its conversation.
 */
import { Hono } from 'hono';
import { RefusedError, type Api } from './api.ts';
import { allMessages, firstMessage, readConversation } from './conversations.ts';
import { noStore, type Sessions } from './customers.ts';
import { JsonFile } from './json-file.ts';

/** The conversations of a customer that are listed. */
const maxListed = 20;

export class CustomerConversations {
  readonly #file: JsonFile<string[]>;
  /** The ids of the conversations by customer, the newest last. */
  readonly #ids: Map<string, string[]>;

  /** @param file Keeps the table over a restart. Without it, it is in memory. */
  constructor(file: string | undefined) {
    this.#file = new JsonFile(file);
    this.#ids = new Map(this.#file.read());
  }

  /** Returns the conversations of a customer, the newest first. */
  of(customerId: string): string[] {
    return (this.#ids.get(customerId) ?? []).toReversed();
  }

  async add(customerId: string, id: string): Promise<void> {
    const ids = this.#ids.get(customerId) ?? [];
    if (ids.includes(id)) return;
    this.#ids.set(customerId, [...ids, id].slice(-maxListed));
    await this.#file.write(this.#ids);
  }
}

interface HistoryOptions {
  api: Api;
  sessions: Sessions;
  conversations: CustomerConversations;
}

/** An erased conversation is not listed any more. */
const unlessErased = (error: unknown): null => {
  if (error instanceof RefusedError && error.status === 404) return null;
  throw error;
};

export const historyRoutes = ({ api, sessions, conversations }: HistoryOptions): Hono => {
  const describe = async (id: string) => {
    const { started_at } = await readConversation(api, id);
    const first = await firstMessage(api, id);
    return { id, started_at, text: first?.content.split('\n')[0] ?? '' };
  };
  return new Hono().use('/history', noStore).get('/history', async (context) => {
    const customer = sessions.customerOf(context);
    if (!customer) return context.body(null, 401);
    const ids = conversations.of(customer.id);
    const id = context.req.query('conversation_id');
    if (id === undefined) {
      const listed = await Promise.all(ids.map((each) => describe(each).catch(unlessErased)));
      return context.json({ conversations: listed.filter((each) => each !== null) });
    }
    // An id alone proves nothing.
    if (!ids.includes(id)) return context.body(null, 404);
    const messages = await allMessages(api, id).catch(unlessErased);
    return messages ? context.json({ messages }) : context.body(null, 404);
  });
};
