/** The motion of the panel, the launcher's icon and the badge. */
import { css } from 'lit';

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

  .panel[popover]:not(:popover-open, [open]) {
    opacity: 0;
    transform: scale(0.97);
  }

  .panel:is(:popover-open, [open]) {
    animation: open calc(0.18s * var(--_motion)) ease-out;
  }

  @keyframes open {
    from {
      opacity: 0;
      transform: scale(0.94) translateY(0.75em);
    }
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
