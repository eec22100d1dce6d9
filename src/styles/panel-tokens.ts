/** The design tokens that only the panel uses. */
import { css } from 'lit';

export const panelTokens = css`
  :host {
    /* The accent as a text color: darker on light surfaces, lighter on dark ones. */
    --_accent-text: light-dark(
      oklch(from var(--_accent) min(l, 0.465) c h),
      oklch(from var(--_accent) max(l, 0.78) min(c, 0.14) h)
    );
    --_surface-raised: var(
      --workspace-chat-surface-raised,
      light-dark(color-mix(in oklab, var(--_accent) 4%, #f3f4f7), color-mix(in oklab, var(--_accent) 7%, #282a31))
    );
    --_muted: var(--workspace-chat-muted, light-dark(#5a6070, #a4abb9));
    --_border: var(--workspace-chat-border, light-dark(#dfe2e9, rgb(255 255 255 / 14%)));
    /* The outline of controls, with a contrast of 3:1 to the surface. */
    --_outline: light-dark(#868d9c, #747b8a);
    --_info: var(--workspace-chat-info, light-dark(#1f5aa8, #8fb8ff));
    --_success: var(--workspace-chat-success, light-dark(#17703f, #63c98d));
    --_warning: var(--workspace-chat-warning, light-dark(#8a5300, #edb45c));
    --_radius: var(--workspace-chat-radius, 1.125em);
    --_space: var(--workspace-chat-space, 1em);

    --_header: var(--workspace-chat-header, var(--_surface));
    --_on-header: var(--workspace-chat-on-header, var(--_text));
    --_button-radius: var(--workspace-chat-button-radius, var(--_radius));
    --_field-radius: var(--workspace-chat-field-radius, var(--_radius));
    --_backdrop: var(--workspace-chat-backdrop, var(--_surface));
    --_visitor-bubble: var(--workspace-chat-visitor-bubble, var(--_accent));
    --_on-visitor-bubble: var(--workspace-chat-on-visitor-bubble, var(--_on-accent));
    --_agent-bubble: var(--workspace-chat-agent-bubble, var(--_surface-raised));
    --_on-agent-bubble: var(--workspace-chat-on-agent-bubble, var(--_text));
    --_bubble-radius: var(--workspace-chat-bubble-radius, var(--_radius));
    /* Borders that are visible only where the color is too close to the surface, to which they have a contrast of 3:1. */
    --_ring: light-dark(oklch(from var(--_accent) min(l, 0.6) c h), oklch(from var(--_accent) max(l, 0.58) c h));
    --_bubble-ring: light-dark(
      oklch(from var(--_visitor-bubble) min(l, 0.6) c h),
      oklch(from var(--_visitor-bubble) max(l, 0.58) c h)
    );
  }

  @media (prefers-contrast: more) {
    .root {
      --_muted: var(--_text);
      --_border: var(--_text);
    }
  }
`;
