/** What scrolls inside itself can be reached and is named, for as long as there is something to scroll. */
import { setAttribute } from './element.ts';

export class OverflowRegions {
  #label: (scroller: HTMLElement) => string;
  #scrollers = new WeakMap<Element, HTMLElement>();
  #observer = new ResizeObserver((entries) => {
    for (const { target } of entries) this.#update(this.#scrollers.get(target)!);
  });

  /** `label` gives a region's accessible name. */
  constructor(label: (scroller: HTMLElement) => string) {
    this.#label = label;
  }

  observe(scroller: HTMLElement, content: HTMLElement): void {
    for (const element of [scroller, content]) {
      this.#scrollers.set(element, scroller);
      this.#observer.observe(element);
    }
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
