/** The chat of an element: its conversation, the relay of team replies, the sound, and the report of failures. */
import { systemClock as clock } from '../api/system-clock.ts';
import type { Configuration } from '../chat/configuration.ts';
import { liveReply, type Problem } from '../chat/state/state.ts';
import { receive } from '../chat/team-message.ts';
import { followTeamRelay } from '../chat/team-relay.ts';
import { pageVisibility } from '../chat/visibility.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { chime } from '../elements/sound.ts';
import { BrowserConversation } from './browser-conversation.ts';
import type { ChatHost } from './chat-host.ts';
import { unreadReply } from './unread-reply.ts';
import { urlOf } from './view-state.ts';

const { random } = Math;

export class Chat extends BrowserConversation {
  readonly #host: ChatHost;
  readonly #configuration: Configuration;
  /** See `ViewState.suggestions`. */
  suggestions: ViewState['suggestions'] = null;
  #repliesUrl: string | null = null;
  #stopRelay = () => {};

  constructor(configuration: Configuration, host: ChatHost) {
    super(configuration, host);
    this.#host = host;
    this.#configuration = configuration;
    this.conversation.store.subscribe((_state, event) => {
      if (event.type === 'unread-counted') chime();
      if (event.type === 'turn-failed') void this.#reportFailure(event.problem);
    });
  }

  override async start(): Promise<void> {
    await super.start();
    this.followRelay();
  }

  /** Follows the relay of team replies at the element's current `repliesUrl`. */
  followRelay(): void {
    const { element, fetch } = this.#host;
    if (this.disposal.aborted || element.repliesUrl === this.#repliesUrl) return;
    this.#repliesUrl = element.repliesUrl;
    this.#stopRelay();
    const url = urlOf('replies-url', this.#repliesUrl);
    // A notice tells of a reply that arrives while the page is hidden.
    const visibility = pageVisibility(() => element.notify && globalThis.Notification?.permission === 'granted');
    this.#stopRelay = url
      ? followTeamRelay({ url, conversation: this.conversation, fetch, clock, random, visibility })
      : () => {};
  }

  /** Shows a team member's message. */
  receive(message: unknown): void {
    receive(this.conversation, message);
  }

  /** Offers messages below the last reply, or the one that is streaming, until the next message. */
  suggest(texts: unknown): void {
    if (!Array.isArray(texts)) return console.error('workspace-chat: suggest() needs an array.');
    const { state } = this.conversation.store;
    const afterKey = liveReply(state)?.key ?? state.messages.at(-1)?.key;
    const shown = texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
    this.suggestions = { texts: shown.slice(0, 4), afterKey };
    this.#host.element.requestUpdate();
  }

  /** See `ChatHost.unreadReply`. */
  get unreadReply(): { key: string; text: string } | null {
    return unreadReply(this.conversation.store.state);
  }

  override dispose(): void {
    this.#stopRelay();
    super.dispose();
  }

  async #reportFailure(problem: Problem): Promise<void> {
    const { doctor: file, fetch } = this.#host;
    const isRejected = problem.status >= 400 && problem.status < 500;
    // A conversation has worked before, so the installation is right, unless the service rejects what it accepted before.
    const hasWorked = this.conversation.store.state.conversationId !== null;
    if (hasWorked && !isRejected) return;
    const doctor = await file.load().catch(() => null);
    await doctor?.reportFailure(problem, this.#configuration, hasWorked ? null : fetch);
  }
}
