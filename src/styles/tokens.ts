/**
 * The design tokens: public custom properties with their defaults, and the private properties derived from them.
 * A page sets `--workspace-chat-*`. The accent alone makes a coherent theme.
 */
import { css, unsafeCSS, type CSSResult } from 'lit';

const hasLightDark = globalThis.CSS?.supports('color', 'light-dark(#000, #fff)') ?? true;

/**
 * A value for each color scheme. `light-dark()` also follows the `color-scheme` of the page, but needs Chrome 123 or Safari 17.5.
 * In older browsers, one of `--_light` and `--_dark` is empty, and the other one is invalid, so that its fallback counts.
 */
export const pair = (light: string, dark: string): CSSResult =>
  unsafeCSS(hasLightDark ? `light-dark(${light}, ${dark})` : `var(--_light, ${light}) var(--_dark, ${dark})`);

export const tokens = css`
  :host {
    color-scheme: light dark;
    --_light: initial;
    --_dark: ;

    --_accent: var(--workspace-chat-accent, #2f5fd0);
    /* Black or white, whichever contrasts more with the accent. At this luminance both reach 4.5:1. */
    --_on-accent: var(
      --workspace-chat-on-accent,
      color(
        from var(--_accent) xyz-d65 clamp(0, (0.183 - y) * 9999, 0.9505) clamp(0, (0.183 - y) * 9999, 1)
          clamp(0, (0.183 - y) * 9999, 1.0891)
      )
    );
    /* The accent as a text color: darker on light surfaces, lighter on dark ones. */
    --_accent-text: ${pair(
      'oklch(from var(--_accent) min(l, 0.465) c h)',
      'oklch(from var(--_accent) max(l, 0.78) min(c, 0.14) h)',
    )};
    --_surface: var(--workspace-chat-surface, ${pair('#fff', '#17181c')});
    --_surface-raised: var(
      --workspace-chat-surface-raised,
      ${pair('color-mix(in oklab, var(--_accent) 4%, #f3f4f7)', 'color-mix(in oklab, var(--_accent) 6%, #24262c)')}
    );
    --_text: var(--workspace-chat-text, ${pair('#1a1c22', '#eef0f4')});
    --_muted: var(--workspace-chat-muted, ${pair('#5a6070', '#a4abb9')});
    --_border: var(--workspace-chat-border, ${pair('#dfe2e9', '#383c46')});
    /* The outline of controls, with a contrast of 3:1 to the surface. */
    --_outline: ${pair('#868d9c', '#747b8a')};
    --_success: var(--workspace-chat-success, ${pair('#17703f', '#63c98d')});
    --_warning: var(--workspace-chat-warning, ${pair('#8a5300', '#edb45c')});
    --_danger: var(--workspace-chat-danger, ${pair('#b3261e', '#ff938a')});

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
    --_radius: var(--workspace-chat-radius, 1.125em);
    --_space: var(--workspace-chat-space, 1em);

    --_width: var(--workspace-chat-width, 25em);
    --_height: var(--workspace-chat-height, 42em);
    --_offset-x: var(--workspace-chat-offset-x, 1.25em);
    --_offset-y: var(--workspace-chat-offset-y, 1.25em);
    --_launcher-size: var(--workspace-chat-launcher-size, 3.5em);
    --_shadow: var(
      --workspace-chat-shadow,
      0 0 0 1px ${pair('rgb(20 24 40 / 6%)', 'rgb(255 255 255 / 8%)')},
      0 0.25em 0.75em rgb(15 20 40 / 10%),
      0 1em 3em rgb(15 20 40 / 18%)
    );
    --_visitor-bubble: var(--workspace-chat-visitor-bubble, var(--_accent));
    --_on-visitor-bubble: var(--workspace-chat-on-visitor-bubble, var(--_on-accent));
    --_agent-bubble: var(--workspace-chat-agent-bubble, var(--_surface-raised));
    --_on-agent-bubble: var(--workspace-chat-on-agent-bubble, var(--_text));
    --_bubble-radius: var(--workspace-chat-bubble-radius, 1.125em);
  }

  @media (prefers-color-scheme: dark) {
    :host(:not([color-scheme='light'])) {
      --_light: ;
      --_dark: initial;
    }
  }

  :host([color-scheme='light']) {
    color-scheme: light;
  }

  :host([color-scheme='dark']) {
    color-scheme: dark;
    --_light: ;
    --_dark: initial;
  }

  /* Chrome has relative colors from version 119 on, Firefox from 128 on. */
  @supports not (color: rgb(from red r g b)) {
    :host {
      --_on-accent: var(--workspace-chat-on-accent, #fff);
      --_accent-text: color-mix(in oklab, var(--_accent), ${pair('#000', '#fff')} 35%);
    }
  }
`;
