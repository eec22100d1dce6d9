/**
 * Knows which pages of a long list have been near the view. The browser skips the layout of the others, so that what nobody can see
 * or focus in them need not be rendered.
 */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Whether the browser skips pages (see the styles of the transcript) and says when it stops skipping one. */
const canSkip = (): boolean =>
  CSS.supports('overflow-anchor', 'auto') && 'oncontentvisibilityautostatechange' in HTMLElement.prototype;

export class NearPagesController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #canSkip = canSkip();
  readonly #near = new Set<number>();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // An element that is moved starts over: the browser reports its pages again.
    this.#near.clear();
  }

  /**
   * Whether a page is, or has been, near the view.
   * @param lastPage The number of the last page, which is never skipped. The one before it may be in view at once.
   */
  isNear(page: number, lastPage: number): boolean {
    // A page that was the last one has been in view.
    if (page >= lastPage - 1) this.#near.add(page);
    return !this.#canSkip || this.#near.has(page);
  }

  /** Handles `contentvisibilityautostatechange` of a page with its number in `data-page`. */
  readonly onStateChange = (event: Event): void => {
    const { target } = event;
    const page = target instanceof HTMLElement ? Number(target.dataset['page'] ?? Number.NaN) : Number.NaN;
    if ((event as ContentVisibilityAutoStateChangeEvent).skipped || Number.isNaN(page) || this.#near.has(page)) return;
    this.#near.add(page);
    this.#host.requestUpdate();
  };
}
