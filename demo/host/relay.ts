/**
 * Relays the replies of the team to the visitor's page. When a page first connects, the relay reads the conversation from
 * the API. Then it relays the webhooks. So nothing is lost when this process restarts.
 */
import { timingSafeEqual } from 'node:crypto';
import { RefusedError, type Api } from './api.ts';
import type { WebhookEvent } from './webhooks.ts';

export interface RelayEvent {
  event: 'message' | 'conversation';
  /** The id of the message, so that `Last-Event-ID` stays valid after a restart. */
  id?: string;
  data: string;
}

type Message = Record<string, unknown> & { id: string };

interface Followed {
  /** The proof in the first request for the conversation. Only the owner of the conversation token can create it. */
  proof: Buffer;
  expiresAt: number;
  state: string;
  /** The time of the state. A delivery from before that time does not change the state. */
  stateSince: string;
  /** The replies of the team, oldest first. */
  replies: Map<string, Message>;
  listeners: Set<(event: RelayEvent) => void>;
  read: Promise<void>;
}

const lifetime = 24 * 60 * 60 * 1000;

export class Relay {
  readonly #followed = new Map<string, Followed>();
  readonly #api: Api;
  readonly #agentId: string;
  readonly #now: () => number;

  constructor(api: Api, agentId: string, now: () => number) {
    this.#api = api;
    this.#agentId = agentId;
    this.#now = now;
  }

  /** Returns undefined if the proof is wrong or the conversation does not exist. */
  async follow(id: string, proof: string): Promise<Followed | undefined> {
    for (const [old, { expiresAt, listeners }] of this.#followed) {
      if (expiresAt <= this.#now() && listeners.size === 0) this.#followed.delete(old);
    }
    const receivedProof = Buffer.from(proof, 'base64url');
    if (receivedProof.length !== 32) return undefined;
    const followed = this.#followed.get(id) ?? this.#startFollowing(id, receivedProof);
    if (!timingSafeEqual(followed.proof, receivedProof)) return undefined;
    try {
      await followed.read;
      return followed;
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Returns the events that a page has not received yet, and whether they are the last ones. */
  missedEvents(id: string, { replies, state }: Followed, lastEventId: string | undefined) {
    const seen = [...replies.keys()].indexOf(lastEventId ?? '');
    const messages = [...replies.values()].slice(seen + 1);
    return {
      messages: messages.map((message) => messageEvent(id, message)),
      state: stateEvent(id, state),
      isLast: state === 'closed',
    };
  }

  handleWebhook({ type, created_at, data }: WebhookEvent): void {
    const id = String(type.startsWith('conversation.') ? data['id'] : data['conversation_id']);
    const followed = this.#followed.get(id);
    // A page that connects later gets this message from the API.
    if (!followed) return;
    if (data['actor_type'] === 'owner') this.#add(id, followed, [data as Message]);
    const state = stateAfter(type, data);
    if (!state || created_at < followed.stateSince || ['closed', state].includes(followed.state)) return;
    Object.assign(followed, { state, stateSince: created_at });
    for (const listener of followed.listeners) listener(stateEvent(id, state));
  }

  #startFollowing(id: string, proof: Buffer): Followed {
    const expiresAt = this.#now() + lifetime;
    const nothing = { state: '', stateSince: '', replies: new Map(), listeners: new Set<never>() };
    const followed: Followed = { proof, expiresAt, ...nothing, read: Promise.resolve() };
    this.#followed.set(id, followed);
    followed.read = this.#read(id, followed);
    followed.read.catch(() => this.#followed.delete(id));
    return followed;
  }

  async #read(id: string, followed: Followed): Promise<void> {
    const path = `/conversations/${encodeURIComponent(id)}`;
    const stateSince = new Date(this.#now()).toISOString();
    const { state, agent_id } = await this.#api<{ state: string; agent_id: string }>('GET', path);
    if (agent_id !== this.#agentId) throw new RefusedError(404, 'a conversation of another agent');
    if (followed.stateSince < stateSince) Object.assign(followed, { state, stateSince });
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const page = await this.#api<{ data: Message[]; next_cursor: string | null }>('GET', `${path}/messages?${query}`);
      const replies = page.data.filter((message) => message['actor_type'] === 'owner');
      this.#add(id, followed, replies);
      cursor = page.next_cursor;
    }
  }

  #add(id: string, { replies, listeners }: Followed, messages: Message[]): void {
    for (const message of messages.filter((each) => !replies.has(each.id))) {
      replies.set(message.id, message);
      for (const listener of listeners) listener(messageEvent(id, message));
    }
  }
}

const stateAfter = (type: string, data: WebhookEvent['data']): string | undefined => {
  if (type === 'message.created') return data['actor_type'] === 'owner' ? 'human_active' : undefined;
  if (type === 'ticket.closed') return 'ai_active';
  return type.startsWith('conversation.') ? String(data['state']) : undefined;
};

const messageEvent = (conversation_id: string, message: Message): RelayEvent => {
  return { event: 'message', id: message.id, data: JSON.stringify({ ...message, conversation_id }) };
};

const stateEvent = (conversation_id: string, state: string): RelayEvent => {
  return { event: 'conversation', data: JSON.stringify({ conversation_id, state }) };
};
