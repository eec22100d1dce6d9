/**
 * Keeps a scroller at its end while the reader is there, and stops at the first upward gesture, and where the content that is to
 * be read would leave the view at its start.
 */
import type { LitElement, ReactiveController } from 'lit';

/** Pixels from the end that still count as the end. */
const tolerance = 24;
/** Pixels that stay free above the start of the content that is to be read. */
const margin = 8;

export class ScrollController implements ReactiveController {
  readonly #host: LitElement;
  #scroller: HTMLElement | null = null;
  #isPinned = true;
  #isAtEnd = true;
  /** Whether the reader wants to stay at the end, whatever leaves the view. */
  #isForced = false;
  #start: () => Element | null = () => null;
  /** The position that the controller or the reader chose last. */
  #lastTop = 0;
  /** Whether the element was taken out of the document, which has set its position to 0. */
  #wasMoved = false;
  /** The heights of the content and of the scroller when they were measured last. */
  #height = 0;
  #viewHeight = 0;
  readonly #observer = new ResizeObserver(() => this.#onResize());

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  /** Whether the reader has not scrolled away from what is to be read. */
  get isPinned(): boolean {
    return this.#isPinned;
  }

  /** Whether the end is in view. */
  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  /**
   * @param content The only child of `scroller`, whose size is observed.
   * @param start Returns the element whose start stays in view, or null for none.
   */
  observe(scroller: HTMLElement, content: HTMLElement, start: () => Element | null): void {
    this.#start = start;
    // A pending update may come after the host was removed. An observer would then keep its elements in memory.
    if (scroller === this.#scroller || !this.#host.isConnected) return;
    this.#scroller = scroller;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    scroller.addEventListener('wheel', this.#onWheel, { passive: true });
    this.#observer.observe(content);
    this.#observer.observe(scroller);
  }

  /**
   * Scrolls to the end and stays there.
   * @param isForced Whether the start of the content to be read may leave the view.
   */
  pin(isForced = false): void {
    if (this.#scroller) this.#detectGesture(this.#scroller);
    this.#isForced = isForced;
    this.#isPinned = true;
    this.#follow();
  }

  /** A host that is moved, or connected again, calls `observe` in its update. */
  hostConnected(): void {
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    // An element that is moved twice at once has no scroller the second time.
    this.#wasMoved ||= this.#scroller !== null;
    this.#observer.disconnect();
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#scroller?.removeEventListener('wheel', this.#onWheel);
    this.#scroller = null;
  }

  #onResize(): void {
    const scroller = this.#scroller!;
    const { scrollTop, clientHeight } = scroller;
    this.#follow();
    const distance = Math.abs(scroller.scrollTop - scrollTop);
    // Observing notifies once, so a scroller that has not moved must not be observed again: that would never end.
    if (distance === 0 || distance < clientHeight) return;
    // After a long way the browser lays out other pages at once. When that changes the size of the content while it is being
    // notified of a change, Firefox and Safari report an error on the page. So the content is observed again in the next frame.
    const content = scroller.firstElementChild!;
    this.#observer.unobserve(content);
    requestAnimationFrame(() => scroller === this.#scroller && this.#observer.observe(content));
  }

  #follow(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    // Content may have grown between the reader's gesture and its scroll event.
    this.#detectGesture(scroller);
    const target = this.#isPinned ? this.#target(scroller) : 0;
    if (target > scroller.scrollTop) {
      scroller.scrollTop = target;
      this.#lastTop = scroller.scrollTop;
    }
    this.#measure(scroller);
  }

  /** Detects that the reader has scrolled since the last measurement. */
  #detectGesture(scroller: HTMLElement): void {
    // It can be scrolled as soon as the panel is shown again.
    if (this.#wasMoved && scroller.clientHeight > 0) {
      this.#wasMoved = false;
      scroller.scrollTop = this.#lastTop;
    }
    if (this.#wasMoved) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const distance = scrollTop - this.#lastTop;
    if (distance === 0) return;
    this.#lastTop = scrollTop;
    // The browser changes the position of a reader at the end when the content shrinks, and when the view grows: by as much.
    const growth = Math.max(clientHeight - this.#viewHeight, 0);
    if (distance + growth < -1 && scrollHeight >= this.#height) this.#isPinned = false;
    else if (Math.min(scrollHeight, this.#height) - clientHeight - scrollTop <= tolerance) {
      this.#isPinned = true;
      // The reader has scrolled to the end, and wants to see what follows. When the content changes, the browser itself may scroll
      // downward, to keep what is in view: it then also returns what it took when the view grew.
      this.#isForced ||= distance > 1 && scrollHeight === this.#height;
    }
  }

  /** Returns where to scroll: to the end, or before that to the start of what is to be read. */
  #target(scroller: HTMLElement): number {
    const start = this.#isForced ? null : this.#start();
    if (!start) return scroller.scrollHeight;
    return scroller.scrollTop + start.getBoundingClientRect().top - scroller.getBoundingClientRect().top - margin;
  }

  #measure(scroller: HTMLElement): void {
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    this.#height = scrollHeight;
    this.#viewHeight = clientHeight;
    // Away from the end the host shows a button, which may have a row of its own below the scroller.
    const isAtEnd = scrollHeight - this.#host.clientHeight - scrollTop <= tolerance;
    if (isAtEnd === this.#isAtEnd) return;
    this.#isAtEnd = isAtEnd;
    // The host may change the size of the scroller, which is being observed.
    requestAnimationFrame(() => this.#host.requestUpdate());
  }

  readonly #onWheel = ({ deltaY }: WheelEvent): void => {
    if (deltaY < 0 && this.#scroller!.scrollTop > 0) this.#isPinned = false;
  };

  readonly #onScroll = (): void => {
    this.#detectGesture(this.#scroller!);
    this.#measure(this.#scroller!);
  };
}
