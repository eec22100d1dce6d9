/** The motion of the panel, the launcher's icon and the badge. */
import { css, type ReactiveController } from 'lit';
import type { PrivateElement } from './private-element.ts';

/** Milliseconds, before the page's factor. */
const openingTime = 180;

export const motionStyles = css`
  /* The corner at the launcher. */
  .panel[popover] {
    transform-origin: 100% 100%;
    transition:
      opacity calc(0.12s * var(--_motion)) ease-in,
      transform calc(0.12s * var(--_motion)) ease-in,
      display calc(0.12s * var(--_motion)) allow-discrete,
      overlay calc(0.12s * var(--_motion)) allow-discrete;
  }

  :host(:not([placement~='start'])) .panel[popover][dir='rtl'],
  :host([placement~='start']) .panel[popover][dir='ltr'] {
    transform-origin: 0 100%;
  }

  /* Opening is an animation of its own, which does not begin at this style. */
  .panel[popover]:not(:popover-open, [open]) {
    opacity: 0;
    transform: scale(0.97);
  }

  .badge {
    animation: pop calc(0.2s * var(--_motion)) ease-out;
  }

  @keyframes pop {
    from {
      transform: scale(0);
    }

    70% {
      transform: scale(1.15);
    }
  }
`;

/** Animates the floating panel when it opens. */
export class MotionController implements ReactiveController {
  readonly #panel: PrivateElement;

  constructor(panel: PrivateElement) {
    this.#panel = panel;
    panel.addController(this);
  }

  hostConnected(): void {
    const surface = this.#panel.closest<HTMLElement>('dialog.panel');
    surface?.addEventListener('beforetoggle', this.#onToggle, { signal: this.#panel.connection });
  }

  readonly #onToggle = ({ target, newState }: Event & { newState?: string }): void => {
    if (newState === 'open') this.#open(target as HTMLElement);
  };

  #open(surface: HTMLElement): void {
    const factor = Number(getComputedStyle(surface).getPropertyValue('--_motion'));
    if (!(factor > 0)) return;
    // Ends at the style of the open panel, whatever that is.
    surface.animate([{ opacity: 0, transform: 'scale(0.94) translateY(0.75em)' }, {}], {
      duration: openingTime * factor,
      easing: 'ease-out',
    });
  }
}
