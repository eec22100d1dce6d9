/** Keeps a scroller at its end while the reader is there, and stops at the first upward gesture. */
import type { LitElement, ReactiveController } from 'lit';

/** Pixels from the end that still count as the end. */
const tolerance = 24;

export class ScrollController implements ReactiveController {
  readonly #host: LitElement;
  #scroller: HTMLElement | null = null;
  #isPinned = true;
  #lastTop = 0;
  #height = 0;
  readonly #observer = new ResizeObserver(() => this.#follow());

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether the reader is at the end, so that new content is scrolled into view. */
  get isPinned(): boolean {
    return this.#isPinned;
  }

  /** @param content The only child of `scroller`, whose size is observed. */
  observe(scroller: HTMLElement, content: HTMLElement): void {
    if (scroller === this.#scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    scroller.addEventListener('wheel', this.#onWheel, { passive: true });
    this.#observer.observe(content);
    this.#observer.observe(scroller);
  }

  /** Scrolls to the end and stays there. */
  pin(): void {
    this.#setPinned(true);
    this.#follow();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#scroller?.removeEventListener('wheel', this.#onWheel);
    this.#scroller = null;
  }

  #follow(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    if (this.#isPinned) scroller.scrollTop = scroller.scrollHeight;
    this.#lastTop = scroller.scrollTop;
    this.#height = scroller.scrollHeight;
  }

  readonly #onWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0 && this.#scroller!.scrollTop > 0) this.#setPinned(false);
  };

  readonly #onScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller!;
    const isAtEnd = scrollHeight - clientHeight - scrollTop <= tolerance;
    // Content that shrinks changes the scroll position without a gesture.
    const isUpward = scrollTop < this.#lastTop - 1 && scrollHeight >= this.#height;
    if (isAtEnd) this.#setPinned(true);
    else if (isUpward) this.#setPinned(false);
    this.#lastTop = scrollTop;
    this.#height = scrollHeight;
  };

  #setPinned(isPinned: boolean): void {
    if (isPinned === this.#isPinned) return;
    this.#isPinned = isPinned;
    this.#host.requestUpdate();
  }
}
