/** Makes scrolling areas focusable and named regions while their content overflows. */
import { setAttribute } from './create-element.ts';

const scrollers = '.md-code pre, .md-table';

export class OverflowRegions {
  #label: (scroller: HTMLElement) => string;
  // In the next frame, because the button below a wide table changes the height of its message: another observer would miss that.
  #observer = new ResizeObserver((entries) =>
    requestAnimationFrame(() => {
      for (const { target } of entries) this.#update(target.closest<HTMLElement>(scrollers)!);
    }),
  );

  /** `label` returns the accessible name of a region. */
  constructor(label: (scroller: HTMLElement) => string) {
    this.#label = label;
  }

  /** Observes a scroller and the content whose width decides whether it overflows. */
  observe(scroller: HTMLElement, content: HTMLElement): void {
    this.#observer.observe(scroller);
    this.#observer.observe(content);
  }

  disconnect(): void {
    this.#observer.disconnect();
  }

  #update(scroller: HTMLElement): void {
    const scrolls = scroller.scrollWidth > scroller.clientWidth;
    setAttribute(scroller, 'tabindex', scrolls ? '0' : null);
    setAttribute(scroller, 'role', scrolls ? 'region' : null);
    setAttribute(scroller, 'aria-label', scrolls ? this.#label(scroller) : null);
  }
}
