/** What the element does beside showing the conversation: it plays a sound, logs failures, and follows the relay of team replies. */
import type { Configuration } from '../chat/configuration.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { ChatEvent } from '../chat/state/chat-event.ts';
import type { ConversationState } from '../chat/state/state.ts';
import { receive } from '../chat/team-message.ts';
import { ignoreMissingChunk } from './core.ts';

/** The element, as seen from here. */
export interface EffectsHost {
  readonly element: { readonly repliesUrl: string | null };
  readonly fetch: typeof fetch;
}

/** Plays the sound of a new message. A failure is ignored: the message is shown in any case. */
const playSound = () => import('../elements/sound.ts').then(({ chime }) => chime()).catch(() => {});

export class ElementEffects {
  readonly #configuration: Configuration;
  readonly #conversation: Conversation;
  readonly #host: EffectsHost;
  #repliesUrl: string | null = null;
  #stopRelay = () => {};

  constructor(configuration: Configuration, conversation: Conversation, host: EffectsHost) {
    this.#configuration = configuration;
    this.#conversation = conversation;
    this.#host = host;
  }

  onEvent(event: ChatEvent, { conversationId }: ConversationState): void {
    if (event.type === 'unread-counted') void playSound();
    if (event.type !== 'turn-failed') return;
    const pageFetch = conversationId ? null : this.#host.fetch;
    void import('./failure-report.ts')
      .then(({ reportFailure }) => reportFailure(event.problem, this.#configuration, pageFetch))
      .catch(ignoreMissingChunk);
  }

  /** Follows the relay at the element's current `repliesUrl`. */
  async followRelay(): Promise<void> {
    const { element, fetch } = this.#host;
    const { repliesUrl } = element;
    if (repliesUrl === this.#repliesUrl) return;
    this.#repliesUrl = repliesUrl;
    this.#stopRelay();
    const code = repliesUrl ? await import('./follow-relay.ts').catch(ignoreMissingChunk) : null;
    if (code && repliesUrl === this.#repliesUrl)
      this.#stopRelay = code.followRelay({ repliesUrl, conversation: this.#conversation, fetch });
  }

  receive(message: unknown): void {
    receive(this.#conversation, message);
  }

  dispose(): void {
    this.#repliesUrl = null;
    this.#stopRelay();
  }
}
