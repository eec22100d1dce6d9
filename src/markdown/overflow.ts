/** What scrolls inside itself can be reached and is named, for as long as there is something to scroll. */
import { setAttribute } from './create-element.ts';

const scrollers = '.md-code pre, .md-table';

export class OverflowRegions {
  #label: (scroller: HTMLElement) => string;
  #observer = new ResizeObserver((entries) => {
    for (const { target } of entries) this.#update(target.closest<HTMLElement>(scrollers)!);
  });

  /** `label` gives a region's accessible name. */
  constructor(label: (scroller: HTMLElement) => string) {
    this.#label = label;
  }

  /** Watches a scroller and the content whose width decides. */
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
