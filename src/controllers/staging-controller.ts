/** Renders a long list in steps: the newest items first, then older ones after each paint. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

const first = 30;
const step = 60;

export class StagingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #shown = first;
  #length = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Returns the items to render now. */
  visible<Item>(items: readonly Item[]): readonly Item[] {
    // Many new items at once are a restored list. Single new items are rendered immediately.
    if (items.length < this.#length) this.#shown = first;
    else if (this.#length > 0) this.#shown += items.length - this.#length;
    this.#length = items.length;
    return this.#shown < items.length ? items.slice(-this.#shown) : items;
  }

  hostUpdated(): void {
    if (this.#shown >= this.#length) return;
    clearTimeout(this.#timer);
    // Wait for the next paint, so that the rendered items are visible and scrollable meanwhile.
    this.#timer = setTimeout(() => {
      this.#shown += step;
      this.#host.requestUpdate();
    }, 32);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
