/** Makes the floating panel wide, and narrow again. */
import type { LitElement, ReactiveController } from 'lit';
import { expansionFlag } from '../controllers/expansion-flag.ts';

/** The panel, whose menu handles Escape before. */
export type ExpandableHost = LitElement & { readonly isMenuOpen: boolean };

/** Whether a panel is wide. */
export const isExpanded = (panel: Element): boolean => panel.closest('.panel')?.matches('.wide') ?? false;

/** Makes the panel wide or narrow, for all pages of the tab. */
export const setExpanded = (panel: Element, isWide: boolean): void => {
  panel.closest('.panel')?.classList.toggle('wide', isWide);
  expansionFlag.set(isWide);
};

/** Handles Escape in a wide panel: it becomes narrow, and stays open. */
export class ExpansionController implements ReactiveController {
  readonly #panel: ExpandableHost;
  #disconnected = new AbortController();

  constructor(panel: ExpandableHost) {
    this.#panel = panel;
  }

  hostConnected(): void {
    this.#disconnected = new AbortController();
    const { signal } = this.#disconnected;
    // In the capturing phase, because the panel itself closes at Escape. On touch screens, it has the focus.
    this.#panel.closest('.panel')?.addEventListener('keydown', this.#onKeydown, { capture: true, signal });
  }

  hostDisconnected(): void {
    this.#disconnected.abort();
  }

  readonly #onKeydown = (event: Event): void => {
    const { key, isComposing } = event as KeyboardEvent;
    const panel = this.#panel;
    if (key !== 'Escape' || isComposing || panel.isMenuOpen || !isExpanded(panel) || panel.closest(':modal')) return;
    setExpanded(panel, false);
    event.preventDefault();
  };
}
