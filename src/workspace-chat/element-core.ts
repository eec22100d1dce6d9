/** The core of the element: its sound, its console messages and the relay of team replies. */
import { systemClock as clock } from '../api/clock.ts';
import type { Configuration } from '../chat/configuration.ts';
import { browserDrafts, noDrafts } from '../chat/storage/tab-drafts.ts';
import type { WorkspaceChatProperties } from './properties.ts';
import { Core, ignoreMissingChunk, type CoreHost } from './core.ts';

export interface ElementCoreHost extends CoreHost {
  readonly element: Pick<WorkspaceChatProperties, 'repliesUrl'>;
}

/** Plays the sound of a new message. A failure is ignored: the message is shown in any case. */
const playSound = () => import('../elements/sound.ts').then(({ chime }) => chime()).catch(() => {});

export class ElementCore extends Core {
  readonly #host: ElementCoreHost;
  #repliesUrl: string | null = null;
  #stopRelay = () => {};

  constructor(configuration: Configuration, host: ElementCoreHost) {
    super(configuration, host, host.storage === 'memory' ? noDrafts : browserDrafts(clock.now));
    this.#host = host;
    this.conversation.store.subscribe(({ conversationId }, event) => {
      if (event.type === 'turn-failed')
        void import('./failure-report.ts')
          .then(({ reportFailure }) => reportFailure(event.problem, configuration, conversationId ? null : host.fetch))
          .catch(ignoreMissingChunk);
      if (event.type === 'unread-counted') void playSound();
    });
    void this.restored.then(() => this.followRelay());
  }

  /** Follows the relay of team replies at the element's current `repliesUrl`. */
  async followRelay(): Promise<void> {
    const { element, fetch } = this.#host;
    const { repliesUrl } = element;
    if (repliesUrl === this.#repliesUrl) return;
    this.#repliesUrl = repliesUrl;
    this.#stopRelay();
    const code = repliesUrl ? await import('./follow-relay.ts').catch(ignoreMissingChunk) : null;
    if (code && repliesUrl === this.#repliesUrl)
      this.#stopRelay = code.followRelay({ repliesUrl, conversation: this.conversation, fetch });
  }

  override dispose(): void {
    this.#repliesUrl = null;
    this.#stopRelay();
    super.dispose();
  }
}
