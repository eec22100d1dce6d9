/** Renders a long list in steps: first the newest items that fill the view, then older ones after each paint. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterPaint } from './after-paint.ts';

/** No item is lower, in pixels. */
const lowestItem = 48;
/** The milliseconds of script that a step may take, so that the page stays responsive. */
const budget = 20;
const firstStep = 40;
const longestStep = 240;

export class StagingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #now: () => number;
  #shown = 0;
  #length = 0;
  #step = firstStep;
  #isWaiting = false;
  #isConnected = false;

  /** @param now Returns the current time in milliseconds. */
  constructor(host: ReactiveControllerHost, now = () => performance.now()) {
    this.#host = host;
    this.#now = now;
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
    const began = this.#now();
    this.#shown += this.#step;
    this.#host.requestUpdate();
    // The items are updated before the next task.
    setTimeout(() => {
      const perItem = (this.#now() - began) / this.#step;
      this.#step = Math.min(Math.ceil(budget / perItem), 2 * this.#step, longestStep);
    });
  }
}
