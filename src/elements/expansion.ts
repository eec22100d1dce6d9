/** Makes the floating panel wide, and narrow again. */
import type { ReactiveController } from 'lit';
import { tabFlag } from '../chat/storage/tab-flag.ts';
import type { PrivateElement } from './private-element.ts';

/** Whether the visitor has made the floating panel wide, in this tab. */
export const expansionFlag = tabFlag('workspace-chat-wide');

/** Whether a panel is wide. */
export const isExpanded = (panel: Element): boolean => panel.closest('.panel')?.matches('.wide') ?? false;

/** Makes the panel wide or narrow, for all pages of the tab. */
export const setExpanded = (panel: Element, isWide: boolean): void => {
  panel.closest('.panel')?.classList.toggle('wide', isWide);
  expansionFlag.set(isWide);
};

/** Handles Escape in a wide panel, after the menu and the fields in it: it becomes narrow, and stays open. */
export class ExpansionController implements ReactiveController {
  readonly #panel: PrivateElement;

  constructor(panel: PrivateElement) {
    this.#panel = panel;
    panel.addController(this);
  }

  hostConnected(): void {
    const signal = this.#panel.connection;
    const surface = this.#panel.closest<HTMLElement>('.panel');
    // The surface around the panel closes at Escape.
    this.#panel.addEventListener('keydown', this.#onKeydown, { signal });
    // On touch screens the surface itself has the focus.
    const onSurface = (event: KeyboardEvent) => {
      if (event.target === surface) this.#onKeydown(event);
    };
    surface?.addEventListener('keydown', onSurface, { capture: true, signal });
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const panel = this.#panel;
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (!isExpanded(panel) || panel.closest(':modal')) return;
    setExpanded(panel, false);
    event.preventDefault();
  };
}
