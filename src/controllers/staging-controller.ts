/** Lets a long list appear from its end: the newest part at once, the rest piece by piece when there is time. */
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

  /** The part of `items` that is shown by now. */
  take<Item>(items: readonly Item[]): readonly Item[] {
    // Many at once are a restored list; what comes one by one is shown as it comes.
    if (items.length < this.#length) this.#shown = first;
    else if (this.#length > 0) this.#shown += items.length - this.#length;
    this.#length = items.length;
    return this.#shown < items.length ? items.slice(-this.#shown) : items;
  }

  hostUpdated(): void {
    if (this.#shown >= this.#length) return;
    clearTimeout(this.#timer);
    // After the next paint, so that what is shown can be seen and scrolled meanwhile.
    this.#timer = setTimeout(() => {
      this.#shown += step;
      this.#host.requestUpdate();
    }, 32);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }
}
