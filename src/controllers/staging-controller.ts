/** Renders a long list in steps: first the newest items that fill the view, then older ones after each paint. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterPaint } from './after-paint.ts';

/** No item is lower, in pixels. */
const lowestItem = 48;
/** How many older items a step adds. The page can respond between two of them. */
const step = 40;

export class StagingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #shown = 0;
  #length = 0;
  #isWaiting = false;
  #isConnected = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Returns the items to render now. */
  visible<Item>(items: readonly Item[]): readonly Item[] {
    // Many new items at once are a restored list. Single new items are rendered immediately.
    if (items.length < this.#length || this.#length === 0) this.#shown = Math.ceil(innerHeight / lowestItem);
    else this.#shown += items.length - this.#length;
    this.#length = items.length;
    return this.#shown < items.length ? items.slice(-this.#shown) : items;
  }

  hostConnected(): void {
    this.#isConnected = true;
  }

  hostUpdated(): void {
    if (this.#shown < this.#length && !this.#isWaiting) void this.#showMore();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
  }

  async #showMore(): Promise<void> {
    this.#isWaiting = true;
    // What is rendered is visible and can be scrolled meanwhile.
    await afterPaint();
    this.#isWaiting = false;
    if (!this.#isConnected) return;
    this.#shown += step;
    this.#host.requestUpdate();
  }
}
