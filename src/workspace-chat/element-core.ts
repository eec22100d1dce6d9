/** The core of the element: its sound, its console messages and the relay of team replies. */
import { systemClock as clock } from '../api/clock.ts';
import type { Configuration } from '../chat/configuration.ts';
import { browserDrafts, noDrafts } from '../chat/storage/tab-drafts.ts';
import { Core, ignoreMissingChunk, type CoreHost } from './core.ts';

export interface ElementCoreHost extends CoreHost {
  /** The absolute URL of the site's relay of team replies, or null. */
  readonly relayUrl: string | null;
}

const { random } = Math;

/** Plays the sound of a new message. A failure is ignored: the message is shown in any case. */
const playSound = () => import('../elements/sound.ts').then(({ chime }) => chime()).catch(() => {});

export class ElementCore extends Core {
  readonly #host: ElementCoreHost;
  #relayUrl: string | null = null;
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
    const url = this.#host.relayUrl;
    if (url === this.#relayUrl) return;
    this.#relayUrl = url;
    this.#stopRelay();
    if (!url) return;
    const loading = Promise.all([import('../chat/team-relay.ts'), import('../chat/visibility.ts')]);
    const loaded = await loading.catch(ignoreMissingChunk);
    if (!loaded || url !== this.#relayUrl) return;
    const [{ followTeamRelay }, { pageVisibility }] = loaded;
    const { conversation } = this;
    const { fetch } = this.#host;
    this.#stopRelay = followTeamRelay({ url, conversation, fetch, clock, random, visibility: pageVisibility() });
  }

  override dispose(): void {
    this.#relayUrl = null;
    this.#stopRelay();
    super.dispose();
  }
}
