/**
 * The design tokens: public custom properties with their defaults, and the private properties derived from them. Those that
 * only the panel uses are in `panel-tokens.ts`.
 * A page sets `--workspace-chat-*`. The accent alone makes a coherent theme.
 */
import { css } from 'lit';

export const tokens = css`
  :host {
    --_accent: var(--workspace-chat-accent, #2f5fd0);
    /* Black or white, whichever contrasts more with the accent. At this luminance both reach 4.5:1. */
    --_on-accent: var(
      --workspace-chat-on-accent,
      color(
        from var(--_accent) xyz-d65 clamp(0, (0.183 - y) * 9999, 0.9505) clamp(0, (0.183 - y) * 9999, 1)
          clamp(0, (0.183 - y) * 9999, 1.0891) / 1
      )
    );
    --_surface: var(--workspace-chat-surface, light-dark(#fff, color-mix(in oklab, var(--_accent) 4%, #16171b)));
    --_text: var(--workspace-chat-text, light-dark(#1a1c22, #eef0f4));
    --_danger: var(--workspace-chat-danger, light-dark(#b3261e, #ff938a));

    --_font: var(
      --workspace-chat-font,
      system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Noto Sans',
      'Noto Sans Arabic',
      'Geeza Pro',
      sans-serif
    );
    --_font-size: var(--workspace-chat-font-size, medium);
    /* Scales the duration of every transition and animation. */
    --_motion: var(--workspace-chat-motion, 1);
    --_z-index: var(--workspace-chat-z-index, 1000);
    --_launcher-radius: var(--workspace-chat-launcher-radius, 10em);
    --_shadow: var(
      --workspace-chat-shadow,
      0 0 0 1px light-dark(rgb(20 24 40 / 6%), rgb(255 255 255 / 8%)),
      0 0.25em 0.75em rgb(15 20 40 / 10%),
      0 1em 3em rgb(15 20 40 / 18%)
    );
  }

  /* Here, because an em is one of the chat. See lengths.ts. */
  .root {
    --_wc-offset-x: var(--workspace-chat-offset-x, 1.25em);
    --_wc-offset-y: var(--workspace-chat-offset-y, 1.25em);
    --_wc-launcher-size: var(--workspace-chat-launcher-size, 3.5em);
    --_wc-width: var(--workspace-chat-width, 25em);
    --_wc-height: var(--workspace-chat-height, 42em);
  }

  :host([color-scheme~='light']) {
    color-scheme: light;
  }

  :host([color-scheme~='dark']) {
    color-scheme: dark;
  }

  @media (prefers-reduced-motion: reduce) {
    :host {
      --_motion: 0;
    }
  }
`;
