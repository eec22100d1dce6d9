/** The motion of the panel, the launcher's icon and the badge. Loaded soon after the panel, so that it delays nothing. */
import { css, type LitElement, type ReactiveController } from 'lit';
import { adoptStyles } from '../styles/adopt-styles.ts';

/** Milliseconds, before the page's factor. */
const openingTime = 180;

const motionStyles = css`
  /* The corner at the launcher. */
  .panel[popover] {
    transform-origin: 100% 100%;
    transition:
      opacity calc(0.12s * var(--_motion)) ease-in,
      transform calc(0.12s * var(--_motion)) ease-in,
      display calc(0.12s * var(--_motion)) allow-discrete,
      overlay calc(0.12s * var(--_motion)) allow-discrete;
  }

  :host(:not([placement='start'])) .panel[popover][dir='rtl'],
  :host([placement='start']) .panel[popover][dir='ltr'] {
    transform-origin: 0 100%;
  }

  /* Opening is an animation of its own, which does not begin at this style. */
  .panel[popover]:not(:popover-open) {
    opacity: 0;
    transform: scale(0.97);
  }

  .launcher[aria-expanded='true'] svg {
    animation: turn calc(0.18s * var(--_motion)) ease-out;
  }

  .launcher[aria-expanded='false'] svg {
    animation: grow calc(0.18s * var(--_motion)) ease-out;
  }

  .badge {
    animation: pop calc(0.2s * var(--_motion)) ease-out;
  }

  @keyframes turn {
    from {
      opacity: 0;
      transform: rotate(-90deg);
    }
  }

  @keyframes grow {
    from {
      opacity: 0;
      transform: scale(0.5);
    }
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
  readonly #panel: LitElement;
  #disconnected = new AbortController();

  constructor(panel: LitElement) {
    this.#panel = panel;
    adoptStyles(panel, motionStyles);
  }

  hostConnected(): void {
    this.#disconnected = new AbortController();
    const { signal } = this.#disconnected;
    const surface = this.#panel.closest<HTMLElement>('dialog.panel');
    surface?.addEventListener('beforetoggle', this.#onToggle, { signal });
    // This code is loaded while the panel opens for the first time.
    if (surface?.matches(':popover-open')) this.#open(surface);
  }

  hostDisconnected(): void {
    this.#disconnected.abort();
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
