/**
 * The past conversations of a customer. Which conversations are a customer's is known here alone: a page that is signed in
 * and has connected to the relay with the proof of its conversation. Use a table of your database.
 */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { RefusedError, type Api } from './api.ts';
import { firstMessage, readConversation, readMessages } from './conversations.ts';
import { noStore, type Sessions } from './customers.ts';

/** The conversations of a customer that are listed. */
const maxListed = 20;

export class CustomerConversations {
  readonly #file: string | undefined;
  /** The ids of the conversations by customer, the newest last. */
  readonly #ids: Map<string, string[]>;
  #written: Promise<void> = Promise.resolve();

  /** @param file Keeps the table over a restart. Without it, it is in memory. */
  constructor(file: string | undefined) {
    this.#file = file;
    this.#ids = new Map(file === undefined ? [] : readTable(file));
  }

  /** Returns the conversations of a customer, the newest first. */
  of(customerId: string): string[] {
    return (this.#ids.get(customerId) ?? []).toReversed();
  }

  async add(customerId: string, id: string): Promise<void> {
    const ids = this.#ids.get(customerId) ?? [];
    if (ids.includes(id)) return;
    this.#ids.set(customerId, [...ids, id].slice(-maxListed));
    this.#written = this.#written.then(() => this.#write());
    await this.#written;
  }

  async #write(): Promise<void> {
    if (this.#file === undefined) return;
    const temporary = `${this.#file}.${process.pid}`;
    await writeFile(temporary, JSON.stringify([...this.#ids]), { mode: 0o600 });
    await rename(temporary, this.#file);
  }
}

const readTable = (file: string): [string, string[]][] => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as [string, string[]][];
  } catch {
    return [];
  }
};

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
    const messages = await readMessages(api, id).catch(unlessErased);
    return messages ? context.json({ messages }) : context.body(null, 404);
  });
};
