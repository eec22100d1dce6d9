/**
 * Relays the replies of the team to the visitor's page. When a page first connects, the relay reads the conversation from
 * the API. Then it relays the webhooks. So nothing is lost when this process restarts.
 */
import { timingSafeEqual } from 'node:crypto';
import { RefusedError, type Api } from './api.ts';
import type { Bindings } from './bindings.ts';
import { conversationId, readConversation, readMessages, type Message } from './conversations.ts';
import { RateLimit } from './rate-limit.ts';
import type { WebhookEvent } from './webhooks.ts';

export interface RelayEvent {
  event: 'message' | 'conversation';
  /** The id of the message, so that `Last-Event-ID` stays valid after a restart. */
  id?: string;
  data: string;
}

interface Followed {
  expiresAt: number;
  state: string;
  /** The time of the state. A delivery from before that time does not change the state. */
  stateSince: string;
  /** The replies of the team, oldest first. */
  replies: Map<string, Message>;
  listeners: Set<(event: RelayEvent) => void>;
  read: Promise<void>;
}

/** The first request for a conversation, while the relay checks when the conversation started. */
interface FirstRequest {
  proof: Buffer;
  isAccepted: Promise<boolean>;
}

export type FollowResult =
  | { kind: 'followed'; followed: Followed }
  | { kind: 'rejected' }
  /** Too many requests without a valid proof. */
  | { kind: 'limited'; retryAfter: number };

export interface RelayOptions {
  api: Api;
  agentId: string;
  bindings: Bindings;
  now: () => number;
}

/** Conversations whose start a webhook has reported. */
const maxStarted = 10_000;
const lifetime = 24 * 60 * 60 * 1000;
/** The widget sends its proof as soon as the conversation has started. A later first proof may be from somebody else. */
const firstProofMs = 60_000;
const rejectionMs = 10 * 60_000;
const maxRejections = 10_000;
/**
 * Limits the calls with the secret key that anybody can cause: those for a conversation that no page has followed yet, up to
 * three each. All addresses together leave a part of the key's 60 calls a minute to the others.
 */
const lookups = { perAddress: 10, together: 18, window: 60_000 };

export class Relay {
  readonly #followed = new Map<string, Followed>();
  readonly #firstRequests = new Map<string, FirstRequest>();
  /** Conversations that cannot be bound, each with the time at which the entry ends. */
  readonly #rejections = new Map<string, number>();
  /** The conversations of this agent that a webhook has reported, each with the time of its start. */
  readonly #started = new Map<string, number>();
  readonly #perAddress: RateLimit;
  readonly #together: RateLimit;
  readonly #options: RelayOptions;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#perAddress = new RateLimit(lookups.perAddress, lookups.window, options.now);
    this.#together = new RateLimit(lookups.together, lookups.window, options.now);
  }

  /** @param address The address of the visitor. */
  async follow(id: string, proof: string, address: string): Promise<FollowResult> {
    const receivedProof = Buffer.from(proof, 'base64url');
    if (receivedProof.length !== 32 || !conversationId.safeParse(id).success) return { kind: 'rejected' };
    let isOwner = this.#options.bindings.matches(id, receivedProof);
    if (isOwner === undefined) {
      if (this.#isRejected(id)) return { kind: 'rejected' };
      const first = this.#firstRequests.get(id);
      if (first) {
        isOwner = timingSafeEqual(first.proof, receivedProof) && (await first.isAccepted);
      } else {
        // A proof for a conversation that a webhook has reported needs no call, so it is bound also beyond the limit.
        const isReported = this.#isJustStarted(this.#started.get(id));
        if (isReported) isOwner = await this.#bind(id, receivedProof, Promise.resolve(true));
        const retryAfter = Math.max(this.#perAddress.wait(address), this.#together.wait(''));
        if (retryAfter > 0) return { kind: 'limited', retryAfter };
        this.#perAddress.count(address);
        this.#together.count('');
        isOwner ??= await this.#bind(id, receivedProof, this.#isNewConversation(id));
      }
    }
    if (!isOwner) return { kind: 'rejected' };
    const followed = this.#followed.get(id) ?? this.#startFollowing(id);
    await followed.read;
    return { kind: 'followed', followed };
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
    if (type === 'conversation.started') this.#addStarted(data);
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

  #addStarted({ id, agent_id, started_at }: WebhookEvent['data']): void {
    if (agent_id !== this.#options.agentId) return;
    this.#started.set(String(id), Date.parse(String(started_at)));
    for (const [old, startedAt] of this.#started) {
      if (this.#started.size <= maxStarted && this.#isJustStarted(startedAt)) break;
      this.#started.delete(old);
    }
  }

  /** Whether the widget may still present its first proof. */
  #isJustStarted(startedAt = 0): boolean {
    return this.#options.now() - startedAt < firstProofMs;
  }

  #isRejected(id: string): boolean {
    return (this.#rejections.get(id) ?? 0) > this.#options.now();
  }

  #reject(id: string): void {
    this.#rejections.set(id, this.#options.now() + rejectionMs);
    const [oldest] = this.#rejections.keys();
    if (this.#rejections.size > maxRejections) this.#rejections.delete(oldest!);
  }

  /** Binds a conversation to its first proof, if the proof is accepted. */
  async #bind(id: string, proof: Buffer, isAccepted: Promise<boolean>): Promise<boolean> {
    this.#firstRequests.set(id, { proof, isAccepted });
    try {
      if (await isAccepted) await this.#options.bindings.add(id, proof);
      else this.#reject(id);
      return await isAccepted;
    } finally {
      this.#firstRequests.delete(id);
    }
  }

  async #isNewConversation(id: string): Promise<boolean> {
    const { api, agentId } = this.#options;
    try {
      const { agent_id, started_at } = await readConversation(api, id);
      return agent_id === agentId && this.#isJustStarted(Date.parse(started_at));
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) return false;
      throw error;
    }
  }

  #startFollowing(id: string): Followed {
    for (const [old, { expiresAt, listeners }] of this.#followed) {
      if (expiresAt <= this.#options.now() && listeners.size === 0) this.#followed.delete(old);
    }
    const expiresAt = this.#options.now() + lifetime;
    const nothing = { state: '', stateSince: '', replies: new Map(), listeners: new Set<never>() };
    const followed: Followed = { expiresAt, ...nothing, read: Promise.resolve() };
    this.#followed.set(id, followed);
    followed.read = this.#read(id, followed);
    followed.read.catch(() => this.#followed.delete(id));
    return followed;
  }

  async #read(id: string, followed: Followed): Promise<void> {
    const { api, now } = this.#options;
    const stateSince = new Date(now()).toISOString();
    const { state } = await readConversation(api, id);
    if (followed.stateSince < stateSince) Object.assign(followed, { state, stateSince });
    for await (const message of readMessages(api, id))
      if (message['actor_type'] === 'owner') this.#add(id, followed, [message]);
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
