/** The core of the element, with what only the element does. */
import type { Configuration } from '../chat/configuration.ts';
import { Core, ignoreMissingChunk, type CoreHost } from './core.ts';
import type { EffectsHost, ElementEffects } from './element-effects.ts';

export type ElementCoreHost = CoreHost & EffectsHost;

export class ElementCore extends Core {
  readonly #host: ElementCoreHost;
  readonly #configuration: Configuration;
  #effects: Promise<ElementEffects | null> | null = null;

  constructor(configuration: Configuration, host: ElementCoreHost) {
    super(configuration, host);
    this.#host = host;
    this.#configuration = configuration;
    this.conversation.store.subscribe((state, event) => {
      if (event.type === 'turn-failed' || event.type === 'unread-counted')
        void this.#loadEffects().then((effects) => effects?.onEvent(event, state));
    });
    void this.restored.then(() => this.followRelay());
  }

  /** Follows the relay of team replies at the element's current `repliesUrl`. */
  async followRelay(): Promise<void> {
    if (this.#effects || this.#host.element.repliesUrl) await (await this.#loadEffects())?.followRelay();
  }

  /** Shows a team member's message. */
  async receive(message: unknown): Promise<void> {
    (await this.#loadEffects())?.receive(message);
  }

  override dispose(): void {
    void this.#effects?.then((effects) => effects?.dispose());
    super.dispose();
  }

  #loadEffects(): Promise<ElementEffects | null> {
    return (this.#effects ??= import('./element-effects.ts').then(
      (code) => new code.ElementEffects(this.#configuration, this.conversation, this.#host),
      ignoreMissingChunk,
    ));
  }
}
